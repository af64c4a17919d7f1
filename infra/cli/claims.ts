/** The tasks claimed from this machine, with their tokens, so that a verdict needs no token: `.touchstone/claims.json`. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ClaimedReview } from "@touchstone/core/schema/review-api";
import * as z from "zod";
import { failure } from "./problem.ts";
import { reviewProblems } from "./words/review-words.ts";

const claimSchema = z.strictObject({
  reviewId: z.string(),
  sampleId: z.string(),
  task: z.string(),
  reviewer: z.string(),
  token: z.string(),
  /** Epoch milliseconds. */
  expiresAt: z.number(),
  /** Field id → kind, by which answers are read. */
  kinds: z.record(z.string(), z.string()),
});
export type Claim = z.infer<typeof claimSchema>;

const claimsSchema = z.strictObject({ schema: z.literal(1), claims: z.array(claimSchema) });

/** A late verdict is accepted as long as nobody else has claimed the task, so a claim outlives its lease. */
const keptMs = 7 * 86_400_000;

export const claimsPath = (root: string): string => path.join(root, ".touchstone", "claims.json");

export const readClaims = async (file: string): Promise<readonly Claim[]> => {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  const parsed = claimsSchema.safeParse(jsonOrNull(text));
  if (!parsed.success) throw failure(reviewProblems.badClaims(file), undefined, parsed.error);
  return parsed.data.claims;
};

const jsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Adds the claim, in the place of an earlier one of the same task. */
export const rememberClaim = async (file: string, claimed: ClaimedReview, now: number): Promise<void> => {
  const { task, fields } = claimed;
  if (!task.lease) throw failure(reviewProblems.strange());
  const claim: Claim = {
    reviewId: task.id,
    sampleId: task.sampleId,
    task: task.task,
    reviewer: task.lease.reviewer,
    token: task.lease.token,
    expiresAt: task.lease.expiresAt,
    kinds: Object.fromEntries(fields.map((field) => [field.id, field.kind])),
  };
  const others = (await readClaims(file)).filter(
    ({ reviewId, expiresAt }) => reviewId !== task.id && now - expiresAt < keptMs,
  );
  await writeClaims(file, [...others, claim]);
};

export const forgetClaim = async (file: string, reviewId: string): Promise<void> => {
  await writeClaims(
    file,
    (await readClaims(file)).filter((claim) => claim.reviewId !== reviewId),
  );
};

/** Tokens are secrets between reviewers, so the file is its owner's alone. */
const writeClaims = async (file: string, claims: readonly Claim[]): Promise<void> => {
  await mkdir(path.dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}`;
  await writeFile(beside, `${JSON.stringify({ schema: 1, claims }, null, 2)}\n`, { mode: 0o600 });
  await rename(beside, file);
};

/** The one claim that is meant: by review id, by sample id, or by a part of the review id. */
export const chooseClaim = (claims: readonly Claim[], part: string): Claim => {
  for (const fits of [
    (claim: Claim) => claim.reviewId === part,
    (claim: Claim) => claim.sampleId === part,
    (claim: Claim) => claim.reviewId.includes(part),
  ]) {
    const [first, ...others] = claims.filter(fits);
    if (first === undefined) continue;
    if (others.length === 0) return first;
    throw failure(
      reviewProblems.manyClaims(
        part,
        [first, ...others].map(({ reviewId }) => reviewId),
      ),
    );
  }
  throw failure(reviewProblems.noClaim(part));
};
