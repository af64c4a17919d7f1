/** Keys of uploads: how S3 spells them, what their path means, and where media lie. */
import {
  batchIdOf,
  decodeS3Key,
  encodeS3Key,
  readUploadPath,
  resolveMediaRef,
} from "@touchstone/core/domain/intake/upload-key";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

describe("decodeS3Key", () => {
  test.each([
    [
      "a space as plus, brackets (case 1)",
      "batches/2026-11/red+flower+%281%29.jsonl",
      "batches/2026-11/red flower (1).jsonl",
    ],
    ["a real plus (case 2)", "b/space+plus%2Btest.jsonl", "b/space plus+test.jsonl"],
    ["a percent sign (case 3)", "b/100%25.jsonl", "b/100%.jsonl"],
    ["decoded once only (case 3)", "b/100%2525.jsonl", "b/100%25.jsonl"],
    ["Chinese (case 4)", "%E6%89%B9%E6%AC%A1/%E8%AF%84%E5%88%86+2026-11.jsonl", "批次/评分 2026-11.jsonl"],
    ["a decomposed é stays so (case 4)", "e%CC%81.jsonl", "e\u0301.jsonl"],
    ["a broken escape (case 3)", "b/100%.jsonl", null],
    ["bytes that are no UTF-8", "b/%FF.jsonl", null],
  ])("%s", (_, encoded, key) => {
    expect(decodeS3Key(encoded)).toBe(key);
  });

  test("gives back what encodeS3Key spelt", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (key) => {
        expect(decodeS3Key(encodeS3Key(key))).toBe(key);
      }),
    );
    expect(encodeS3Key("inbox/批 次/a+b%.jsonl")).toBe("inbox/%E6%89%B9+%E6%AC%A1/a%2Bb%25.jsonl");
  });
});

test.each([
  [
    "inbox/dialogue/2026/a.jsonl",
    { kind: "batch-file", folder: "inbox/dialogue/2026/", task: "dialogue", name: "a.jsonl" },
  ],
  [
    "inbox/dialogue/a.jsonl.gz",
    { kind: "batch-file", folder: "inbox/dialogue/", task: "dialogue", name: "a.jsonl.gz" },
  ],
  [
    "inbox/dialogue/b/c/d/A.CSV",
    { kind: "batch-file", folder: "inbox/dialogue/b/c/d/", task: "dialogue", name: "A.CSV" },
  ],
  ["inbox/a.jsonl", { kind: "batch-file", folder: "inbox/", task: "", name: "a.jsonl" }],
  ["inbox/dialogue/2026/", { kind: "folder-marker" }],
  ["inbox/dialogue/2026/a.png", { kind: "other" }],
  ["inbox/dialogue/2026/a.json", { kind: "other" }],
  ["templates/dialogue/examples.jsonl", { kind: "other" }],
  ["results/dialogue/a.jsonl", { kind: "other" }],
  ["Inbox/dialogue/a.jsonl", { kind: "other" }],
])("readUploadPath: %s", (key, expected) => {
  expect(readUploadPath(key)).toEqual(expected);
});

test.each([
  [{ versionId: "v1", eTag: "e", sequencer: "s" }, "dialogue/b/a.jsonl@v1"],
  [{ eTag: "e", sequencer: "0A" }, "dialogue/b/a.jsonl@e+0A"],
  [{ eTag: "e" }, "dialogue/b/a.jsonl@e+"],
  [{}, "dialogue/b/a.jsonl@+"],
])("batchIdOf %j", (write, expected) => {
  expect(batchIdOf("inbox/dialogue/b/a.jsonl", write)).toBe(expected);
});

describe("resolveMediaRef", () => {
  const file = { bucket: "uploads", key: "inbox/poster/批次 1/samples.jsonl" };
  const folder = "inbox/poster/批次 1/";

  test.each([
    ["a.png", { kind: "object", bucket: "uploads", key: `${folder}a.png` }],
    ["./img//a b+c%.png", { kind: "object", bucket: "uploads", key: `${folder}img/a b+c%.png` }],
    ["图/一.png", { kind: "object", bucket: "uploads", key: `${folder}图/一.png` }],
    ["..png", { kind: "object", bucket: "uploads", key: `${folder}..png` }],
    ["s3://other/inbox/x y.png", { kind: "object", bucket: "other", key: "inbox/x y.png" }],
    ["https://example.com/a.png", { kind: "url", url: "https://example.com/a.png" }],
  ])("%s is read", (ref, expected) => {
    expect(resolveMediaRef(ref, file)).toEqual(expected);
  });

  test.each([
    "../a.png",
    "img/../../a.png",
    "..",
    "/etc/passwd",
    "//host/a.png",
    "s3://bucket",
    "s3:///key",
    "http://example.com/a.png",
    "HTTPS://example.com/a.png",
    "file:///etc/passwd",
    "data:image/png;base64,AAAA",
    "javascript:alert(1)",
  ])("%s is refused", (ref) => {
    expect(resolveMediaRef(ref, file).kind).toBe("bad");
  });

  test("a relative path never leaves the folder", () => {
    const segment = fc.constantFrom("..", ".", "", "a", "中", "..a", " ");
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
        const place = resolveMediaRef(segments.join("/"), file);
        if (place.kind !== "object") return;
        expect(place.key.startsWith(folder)).toBe(true);
        expect(place.key.split("/")).not.toContain("..");
      }),
    );
  });
});
