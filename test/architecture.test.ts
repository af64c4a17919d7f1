/** The shape of the project: who may import whom, how large a file may be, what nobody writes. */
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { type SourceFile, sourceFiles } from "./source-files.ts";

const all = sourceFiles();
const below = (...prefixes: string[]) =>
  all.filter(({ path }) => prefixes.some((prefix) => path.startsWith(prefix)));
const core = below("layers/core/src/");
/** All of functions but the tool that bundles them. */
const hopFiles = below("functions/").filter(({ path }) => path !== "functions/build.ts");
const product = below("layers/", "functions/", "infra/", "events/");

/** A relative import as a path of the project; others as they are. */
const target = (file: SourceFile, imported: string): string =>
  imported.startsWith(".") ? normalize(join(dirname(file.path), imported)) : imported;
const arrows = (files: readonly SourceFile[]): readonly { from: string; to: string }[] =>
  files.flatMap((file) => file.imports.map((imported) => ({ from: file.path, to: target(file, imported) })));
const offending = (files: readonly SourceFile[], pattern: RegExp): readonly string[] =>
  files.flatMap(({ path, code }) =>
    code.split("\n").flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : [])),
  );
const hopOf = (path: string): string | undefined => /^functions\/([a-z]+)\//.exec(path)?.[1];

describe("import arrows", () => {
  test("core imports a short list of effect-free libraries, and itself", () => {
    const allowed = ["zod", "jsonc-parser", "yaml", "minisearch", "node:crypto"];
    expect(
      arrows(core).filter(({ to }) => !allowed.includes(to) && !to.startsWith("layers/core/src/")),
    ).toEqual([]);
    const hashing = core.filter(({ imports }) => imports.includes("node:crypto"));
    for (const { path, code } of hashing)
      expect(code, path).toMatch(/import \{ createHash \} from "node:crypto"/);
  });

  test("a function imports core, its own folder and the shared ones, never another hop and never zod", () => {
    const wrong = arrows(hopFiles).filter(({ from, to }) => {
      if (to === "zod" || to.startsWith("zod/")) return true;
      if (!to.startsWith("layers/") && !to.startsWith("functions/") && !to.startsWith("infra/")) return false;
      const hop = hopOf(to);
      return !to.startsWith("functions/_") && (hop === undefined || hop !== hopOf(from));
    });
    expect(wrong).toEqual([]);
  });

  test("what functions share knows no hop", () => {
    const shared = arrows(
      below("functions/_aws/", "functions/_batch/", "functions/_pressure/", "functions/_seeing/"),
    );
    expect(shared.filter(({ to }) => to.startsWith("functions/") && !to.startsWith("functions/_"))).toEqual(
      [],
    );
  });

  test("only the adapters and the wiring know AWS", () => {
    const rules = hopFiles.filter(
      ({ path }) => !path.startsWith("functions/_aws/") && !path.endsWith("/handler.ts"),
    );
    const outside = (to: string) =>
      to.startsWith("@aws-sdk") ||
      to.startsWith("@aws-lambda-powertools") ||
      to.startsWith("functions/_aws/");
    expect(arrows(rules).filter(({ to }) => outside(to))).toEqual([]);
  });

  test("infra takes functions as file paths; the CLI and the assembly of a stack use what the hops share", () => {
    // `touchstone see` shows a person the very steps that DESCRIBE takes with a picture.
    const shared = ["functions/_aws/", "functions/_batch/", "functions/_seeing/"];
    const wrong = arrows(below("infra/")).filter(
      ({ to }) => to.startsWith("functions/") && !shared.some((folder) => to.startsWith(folder)),
    );
    expect(wrong.filter((arrow) => arrow.to !== "functions/build.ts")).toEqual([]);
  });

  test("nothing of the product imports tests, and events import no functions", () => {
    expect(arrows(product).filter(({ to }) => to.startsWith("test/"))).toEqual([]);
    expect(
      arrows(below("events/")).filter(
        ({ to }) => to.startsWith("functions/") || to.startsWith("infra/local/"),
      ),
    ).toEqual([]);
  });

  test("zod is imported whole and as a namespace, so that it stays small", () => {
    expect(
      offending(all, /import (type )?\{[^}]*\bz\b[^}]*\} from "zod"/).filter(
        (line) => !line.startsWith("test/"),
      ),
    ).toEqual([]);
  });
});

describe("core has no effects", () => {
  test.each([
    ["process", /\bprocess\s*[.[]/],
    ["a clock", /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\./],
    ["randomness", /\bMath\.random\b|\brandomUUID\b|\bcrypto\.getRandom/],
    ["console", /\bconsole\s*\./],
    ["timers", /\bset(Timeout|Interval|Immediate)\b/],
    ["the network or the disk", /\bfetch\(|\bnode:(fs|net|http|https)\b/],
    [
      "the reader's locale or zone",
      /\.toLocale(String|DateString|TimeString|UpperCase|LowerCase)\(|\.localeCompare\(|\bgetTimezoneOffset\b/,
    ],
  ])("no %s", (_, pattern) => {
    expect(offending(core, pattern)).toEqual([]);
  });
});

describe("files", () => {
  test("are small: 300 lines of source, 400 of a test, and most of them short", () => {
    const long = all.filter(({ path, lines }) => lines > (path.startsWith("test/") ? 400 : 300));
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
    const sizes = product.map(({ lines }) => lines).sort((left, right) => left - right);
    const at = (share: number): number => sizes[Math.floor(sizes.length * share)] ?? 0;
    expect(
      { median: at(0.5) <= 75, p90: at(0.9) <= 200 },
      `median ${at(0.5)}, p90 ${at(0.9)} of ${sizes.length} files`,
    ).toEqual({
      median: true,
      p90: true,
    });
  });

  test("are named in kebab-case for what they hold", () => {
    const names = all
      .map(({ path }) => path)
      .filter(
        (path) =>
          !/^(?:[a-z0-9_]+(?:[-.][a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|config))?\.ts$/.test(
            path,
          ),
      );
    expect(names).toEqual([]);
    const vague = all.filter(({ path }) =>
      /(?:^|\/)(?:utils?|helpers?|common|index|misc|shared)(?:\.ts|\/)/.test(path),
    );
    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  test("say in their first lines what they are", () => {
    expect(
      product.filter(({ text }) => !text.startsWith("/**") && !text.startsWith("#!")).map(({ path }) => path),
    ).toEqual([]);
  });

  test("are no barrels", () => {
    expect(offending(product, /^export \* from|^export \{[^}]*\} from/)).toEqual([]);
  });
});

describe("nobody writes", () => {
  test.each([
    ["default exports", /^export default\b/],
    ["any", /(?::|<|\bas|\|)\s*any\b(?!\s*\()|\bany\[\]/],
    ["a cast on parsed JSON", /JSON\.parse\(.*\)\s+as\b/],
    ["silenced compilers", /@ts-(?:ignore|nocheck|expect-error)|biome-ignore/],
    ["isLocal", /\bisLocal\b/],
    ["instanceof for the kind of an error", /instanceof PipelineError/],
    ["module mocks", /\bvi\.(?:mock|doMock|hoisted)\(/],
    ["skipped or focused tests", /\b(?:test|it|describe)\.(?:skip|only|todo)\b/],
  ])("%s", (_, pattern) => {
    const allowed = ["test/vitest.config.ts", "test/architecture.test.ts"];
    expect(
      offending(
        all.filter(({ path }) => !allowed.includes(path)),
        pattern,
      ),
    ).toEqual([]);
  });

  test.each([
    ["notes to do it later", /\b(?:TODO|FIXME|XXX|HACK)\b/],
    ["paths of one machine", /(?:^|[\s"'`(])\/(?:home|Users|work|root|tmp)\/\w/],
  ])("%s", (_, pattern) => {
    const found = all.filter(
      ({ path, text }) =>
        path !== "test/architecture.test.ts" && text.split("\n").some((line) => pattern.test(line)),
    );
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});

test("every exported function of core says what it does", () => {
  const bare = core.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /(?<before>[^\n]*)\n(?<line>export (?:async )?(?:function\*? (?<named>\w+)|const (?<arrow>\w+) = (?:async )?(?:<[^\n]*>)?\())/g,
      ),
    ].flatMap(({ groups }) =>
      groups?.before?.trimEnd().endsWith("*/") ? [] : [`${path}: ${groups?.named ?? groups?.arrow}`],
    ),
  );
  expect(bare).toEqual([]);
});
