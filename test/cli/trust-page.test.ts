/** The trust report's page: nothing in it runs, hostile names stay text, and each figure is the JSON's. */
import { percentText } from "@touchstone/core/domain/report/number-text";
import { type TrustReport, trustReport } from "@touchstone/core/domain/report/trust-report";
import { answerCertificate, withVoid } from "@touchstone/core/domain/trust/family-trust";
import { XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { html } from "../../infra/cli/render/markup.ts";
import { ticks } from "../../infra/cli/render/trust/plot.ts";
import { trustPage } from "../../infra/cli/render/trust-report.ts";
import { judge, reportInput, simulatedSamples, template } from "../core/report/simulated-task.ts";

const input = reportInput({ samples: simulatedSamples(4_000, 0.93) });
const whole = trustReport(input);
const certified = answerCertificate(input.trust)?.certificate.id ?? "";
const hostile = `<script>alert("x")</script>&'--><img src=x onerror=alert(1)>\u202e`;
const attacked = trustReport({
  ...input,
  template: { ...template(), title: { zh: hostile, en: hostile } },
  judge: { ...judge, model: hostile },
  samples: input.samples.map((sample, index) => ({
    ...sample,
    strata: { [hostile.slice(0, 40)]: index % 2 === 0 ? hostile : `" onload="alert(2)` },
  })),
  trust: input.trust && withVoid(input.trust, certified, { reason: "withdrawn", detail: hostile, at: 1 }),
  watch: input.watch && {
    ...input.watch,
    alarm: { kind: "error-alarm", detail: hostile, at: 1 },
  },
});

/** What stands at a path of the report, e.g. `strata.0.values.1.samples`. */
const at = (report: TrustReport, path: string): unknown =>
  path.split(".").reduce<unknown>(
    (value, name) => {
      if (typeof value !== "object" || value === null) return undefined;
      return Object.entries(value).find(([key]) => key === name)?.[1];
    },
    JSON.parse(JSON.stringify(report)),
  );

const empty = trustReport({ ...input, samples: [], trust: null, watch: null, judge: null });
const pages = [
  ["whole", whole],
  ["attacked", attacked],
  ["empty", empty],
] as const;

describe.each(pages)("the %s page", (_, report) => {
  test.each(["en", "zh"] as const)("in %s is well-formed, runs nothing and fetches nothing", (language) => {
    const page = trustPage(report, language);
    const body = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] ?? "";
    expect(XMLValidator.validate(body, { allowBooleanAttributes: true })).toBe(true);
    const tags = [...page.matchAll(/<([a-z!][a-zA-Z0-9]*)/g)].map(([, tag]) => tag);
    expect(
      tags.filter((tag) => /^(?:script|img|iframe|object|embed|link|a|foreignObject)$/.test(tag ?? "")),
    ).toEqual([]);
    expect(page).not.toMatch(/<[^>]*\s(?:on[a-z]+|href|src)=/);
    expect(page).not.toMatch(/url\((?!#)|@import|\u202e/);
    expect(page).not.toMatch(/NaN|undefined|\[object|Infinity/);
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'/);
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has each figure as the JSON has it", () => {
    const page = trustPage(report, "en");
    const figures = [...page.matchAll(/<data value="([^"]*)" data-of="([^"]*)">([^<]*)<\/data>/g)];
    expect(figures.length).toBeGreaterThan(report === empty ? 5 : 100);
    const wrong = figures.filter(([, value = "", path = ""]) => at(report, path) !== Number(value));
    expect(wrong).toEqual([]);
    // What people read is that value, to the digits shown.
    for (const [, value, path = "", text = ""] of figures) {
      const isPercent = text.endsWith("%");
      const read = Number(text.replaceAll(",", "").replace("%", "")) / (isPercent ? 100 : 1);
      const decimals = Math.max(isPercent ? 1 : 0, text.replace("%", "").split(".")[1]?.length ?? 0);
      const unit = 10 ** -decimals / (isPercent ? 100 : 1);
      // Days are rounded up; 99.9% and 0.999 stand for all that is a little less than 1.
      const isCapped = path.endsWith(".days") || text === "99.9%" || text === "0.999";
      const difference = Math.abs(read - Number(value));
      expect(difference, `${path}: ${value} is written ${text}`).toBeLessThanOrEqual(
        unit * (isCapped ? 1 : 0.5) + 1e-9,
      );
    }
  });

  test("says its sentences as the JSON has them", () => {
    for (const language of ["en", "zh"] as const)
      for (const sentence of Object.values(report.sentences))
        expect(trustPage(report, language)).toContain(html`${sentence[language]}`.markup);
  });
});

test("each mark stands where its figures say", () => {
  const page = trustPage(whole, "en");
  const marks = [
    ...page.matchAll(
      /<circle class="[a-z]+" data-of="([^"]+)" cx="([^"]+)" cy="([^"]+)" r="[^"]+"><title>([^<]*)/g,
    ),
  ];
  const { riskCurve, reliability } = whole;
  const { raw, calibrated } = reliability;
  expect(marks).toHaveLength(
    riskCurve.points.length + (raw?.bins.length ?? 0) + (calibrated?.bins.length ?? 0),
  );
  for (const [, path = "", cx, cy, title] of marks) {
    const point = Object(at(whole, path));
    // The plot is 414 wide from 78, and 292 high above 308.
    const isRisk = path.startsWith("riskCurve");
    const [x, y] = isRisk ? [point.coverage, point.risk] : [point.confidence, point.accuracy];
    expect(Number(cx)).toBeCloseTo(78 + x * 414, 0);
    if (!isRisk) expect(Number(cy)).toBeCloseTo(308 - y * 292, 0);
    expect(title).toContain(percentText(x));
    expect(title).toContain(percentText(y));
  }
});

test("a hostile name is shown as text", () => {
  expect(attacked.standing).toMatchObject({ kind: "void", detail: hostile });
  expect(trustPage(attacked, "en")).toContain(
    "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;--&gt;&lt;img src=x onerror=alert(1)&gt;\ufffd",
  );
});

test.each([
  [{ from: 0, to: 1 }, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [{ from: 0, to: 0.045 }, [0, 0.01, 0.02, 0.03, 0.04]],
  [{ from: 0, to: 0.3 }, [0, 0.1, 0.2, 0.3]],
])("ticks of %j are round", (domain, expected) => {
  expect(ticks(domain)).toEqual(expected);
});

test("markup escapes parts, lists and numbers, and keeps markup", () => {
  expect(html`<p title="${`"'`}">${["<", html`<b>${1}</b>`, null]}</p>`.markup).toBe(
    `<p title="&quot;&#39;">&lt;<b>1</b></p>`,
  );
});
