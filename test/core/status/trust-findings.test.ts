/** A certificate that ended is told where people look, with what to do about it. */
import { trustFindings } from "@touchstone/core/domain/status/trust-findings";
import { withVoid } from "@touchstone/core/domain/trust/family-trust";
import { newWatch } from "@touchstone/core/domain/watch/watch";
import { voidReasons } from "@touchstone/core/schema/certificate";
import { expect, test } from "vitest";
import { taskId } from "../../contract/records.ts";
import { certificate, trusted } from "../../contract/trust-records.ts";

const id = "f#sample#1";

test("nothing is told of a certificate that stands, or where there is none", () => {
  expect(trustFindings({ trust: [trusted(certificate()), trusted()], watches: [] })).toEqual([]);
});

test.each(voidReasons)("void by %s, in both languages", (reason) => {
  const trust = withVoid(trusted(certificate()), id, {
    reason,
    detail: "CUSUM 5.1 >= 4.5",
    at: 1_700_000_000_000,
  });
  const [finding] = trustFindings({ trust: [trust], watches: [] });
  expect(finding).toMatchObject({ code: "certificate-void", severity: "waiting", batch: null });
  expect(finding?.text.en).toMatch(
    /^Certificate f#sample#1 is void since 2023-11-14T22:13:20.000Z: .*CUSUM 5\.1/,
  );
  expect(finding?.text.en).toMatch(/certify t$/);
  expect(finding?.text.zh).toContain("证书 f#sample#1 自 2023-11-14T22:13:20.000Z 起失效");
});

test("a task that fell out of a certificate which stands for others", () => {
  const watch = newWatch({
    ...{ task: taskId("u"), certificate: id, fingerprint: "f", n: 99, k: 0, alpha: 0.03, coverage: 1, at: 1 },
    confidences: [],
  });
  const alarm = { kind: "fingerprint-changed" as const, detail: "f was certified, g runs", at: 5 };
  const trust = [trusted(certificate())];
  expect(trustFindings({ trust, watches: [watch] })).toEqual([]);
  const [finding] = trustFindings({ trust, watches: [{ ...watch, alarm }] });
  expect(finding?.text.en).toMatch(/^Task u fell out of certificate f#sample#1: .*g runs.*certify u$/);
});
