import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { chooseClaim, claimsPath, forgetClaim, readClaims, rememberClaim } from "../../infra/cli/claims.ts";
import { verdictValues } from "../../infra/cli/verdict-values.ts";
import { reviewTask } from "../contract/records.ts";

const root = mkdtempSync(path.join(tmpdir(), "touchstone-claims-"));
afterAll(() => rmSync(root, { recursive: true }));
const file = claimsPath(root);
const day = 86_400_000;

const claimed = (sampleId: string, expiresAt: number) => ({
  task: reviewTask({
    id: `shop/日/${sampleId}.jsonl@v1#1#0#0#review`,
    sampleId,
    lease: { reviewer: "amy", token: `token-${sampleId}`, expiresAt },
  }),
  fields: [],
  standard: "",
});

describe("claims", () => {
  test("are kept with their tokens, for their owner alone, until long after the lease", async () => {
    expect(await readClaims(file)).toEqual([]);
    await rememberClaim(file, claimed("s-1", 10 * day), 9 * day);
    await rememberClaim(file, claimed("s-2", 10 * day), 9 * day);
    await rememberClaim(file, claimed("s-1", 11 * day), 10 * day);
    expect((await readClaims(file)).map(({ token, expiresAt }) => [token, expiresAt])).toEqual([
      ["token-s-2", 10 * day],
      ["token-s-1", 11 * day],
    ]);
    expect(statSync(file).mode & 0o077).toBe(0);
    await rememberClaim(file, claimed("s-3", 30 * day), 17.5 * day);
    expect((await readClaims(file)).map(({ sampleId }) => sampleId)).toEqual(["s-1", "s-3"]);
    await forgetClaim(file, (await readClaims(file))[0]?.reviewId ?? "");
    expect((await readClaims(file)).map(({ sampleId }) => sampleId)).toEqual(["s-3"]);
  });

  test("a damaged file is named", async () => {
    writeFileSync(path.join(root, "damaged.json"), "{");
    await expect(readClaims(path.join(root, "damaged.json"))).rejects.toThrow(
      /damaged\.json is damaged; remove it/,
    );
  });

  test("are found by review id, sample id or a part", async () => {
    const other = path.join(root, "other.json");
    for (const id of ["s-1", "s-11"]) await rememberClaim(other, claimed(id, day), 0);
    const claims = await readClaims(other);
    expect(chooseClaim(claims, "shop/日/s-1.jsonl@v1#1#0#0#review").sampleId).toBe("s-1");
    expect(chooseClaim(claims, "s-1").sampleId).toBe("s-1");
    expect(chooseClaim(claims, "日/s-11").sampleId).toBe("s-11");
    expect(() => chooseClaim(claims, "shop")).toThrow(/"shop" fits several claimed tasks/);
    expect(() => chooseClaim(claims, "s-2")).toThrow(/"s-2" is not among the tasks claimed from here/);
  });
});

describe("answers on the command line", () => {
  const kinds = { helpful: "ordinal", tags: "labels", files: "list", issue: "text" };
  test("are read by the kind of their field", () => {
    expect(verdictValues(["helpful=B", "tags=A, C", "files=", "issue=a=b, c", "own=x"], kinds)).toEqual({
      helpful: "B",
      tags: ["A", "C"],
      files: [],
      issue: "a=b, c",
      own: "x",
    });
  });
  test.each([
    [["helpful"], /"helpful" is no answer; write field=code/],
    [["=B"], /"=B" is no answer/],
    [["helpful=A", "helpful=B"], /field "helpful" is answered twice/],
  ])("%j is refused", (answers, message) => expect(() => verdictValues(answers, kinds)).toThrow(message));
});
