/** ListObjectsV2 through the real SDK, and its order and paging against a naive model. */
import { ListObjectsV2Command, type ListObjectsV2CommandInput, PutObjectCommand } from "@aws-sdk/client-s3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listEntries } from "../../infra/local/s3/list-entries.ts";
import { compareKeys, SortedKeys } from "../../infra/local/s3/sorted-keys.ts";
import { openS3, refusal, type S3Fixture } from "./s3-fixture.ts";

let s3: S3Fixture;
let Bucket: string;
const keys = ["a.txt", "dir/1", "dir/2", "dir/sub/3", "dir2/4", "z (1)+文.txt"];

beforeAll(async () => {
  s3 = await openS3();
  Bucket = await s3.bucket();
  for (const Key of keys) await s3.client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
});
afterAll(() => s3.close());

async function list(input: Omit<ListObjectsV2CommandInput, "Bucket">) {
  const page = await s3.client.send(new ListObjectsV2Command({ Bucket, ...input }));
  const contents = (page.Contents ?? []).map((object) => object.Key);
  return { ...page, contents, prefixes: (page.CommonPrefixes ?? []).map((prefix) => prefix.Prefix) };
}

test.each([
  [{}, keys, []],
  [{ Prefix: "dir/" }, ["dir/1", "dir/2", "dir/sub/3"], []],
  [{ Delimiter: "/" }, ["a.txt", "z (1)+文.txt"], ["dir/", "dir2/"]],
  [{ Prefix: "dir/", Delimiter: "/" }, ["dir/1", "dir/2"], ["dir/sub/"]],
  [{ StartAfter: "dir/2" }, ["dir/sub/3", "dir2/4", "z (1)+文.txt"], []],
  [{ Prefix: "nothing" }, [], []],
  [{ MaxKeys: 0 }, [], []],
])("%j", async (input, contents, prefixes) => {
  expect(await list(input)).toMatchObject({ contents, prefixes, IsTruncated: false });
});

test("pages of one entry, prefixes among them, give everything once", async () => {
  const seen: (string | undefined)[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await list({ Delimiter: "/", MaxKeys: 1, ContinuationToken });
    seen.push(...page.contents, ...page.prefixes);
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  expect(seen).toEqual(["a.txt", "dir/", "dir2/", "z (1)+文.txt"]);
});

test("encoding-type=url form-encodes keys", async () => {
  const page = await list({ Prefix: "z", EncodingType: "url" });
  expect(page.contents).toEqual(["z+%281%29%2B%E6%96%87.txt"]);
});

test("a foreign token and a negative page size are refused", async () => {
  await expect(list({ ContinuationToken: "abc" })).rejects.toMatchObject(refusal("InvalidArgument", 400));
  await expect(list({ MaxKeys: -1 })).rejects.toMatchObject(refusal("InvalidArgument", 400));
});

describe("properties", () => {
  const key = fc.string({ unit: fc.constantFrom("a", "b", "/", "\uffff", "😀"), minLength: 1, maxLength: 6 });

  test("keys sort as their UTF-8 bytes do", () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  test("a listing in pages equals the naive listing", () => {
    const scope = fc.record({
      prefix: fc.constantFrom("", "a", "a/"),
      delimiter: fc.constantFrom("", "/", "b"),
    });
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 30 }), scope, (all, { prefix, delimiter }) => {
        const sorted = new SortedKeys(all);
        const visible = (name: string): boolean => !name.endsWith("b");
        const paged: string[] = [];
        for (let after = ""; ; ) {
          const next = listEntries(sorted, { prefix, delimiter, after }, visible).next();
          if (next.done) break;
          paged.push(next.value.name);
          after = next.value.name;
        }
        const rolled = all
          .filter((name) => name.startsWith(prefix) && visible(name))
          .map((name) => {
            const cut = delimiter === "" ? -1 : name.indexOf(delimiter, prefix.length);
            return cut === -1 ? name : name.slice(0, cut + delimiter.length);
          });
        expect(paged).toEqual([...new Set(rolled)].sort(compareKeys));
      }),
    );
  });
});
