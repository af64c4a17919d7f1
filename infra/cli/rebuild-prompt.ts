/** Rebuilds the very prompt of a judged sample from what is stored: line, template and examples by version, gists, pictures. */
import { promptSha256 } from "@touchstone/core/domain/decide/fingerprint";
import { gistDigest } from "@touchstone/core/domain/describe/gist-digest";
import { withContext } from "@touchstone/core/domain/judge/judging";
import { buildPrompt, type JudgePrompt } from "@touchstone/core/domain/judge/prompt";
import { errorCode } from "@touchstone/core/errors";
import { type Gist, gistSchema, type MediaProblem, type PlacedGist } from "@touchstone/core/schema/gist";
import type { Result } from "@touchstone/core/schema/result";
import type { Sample } from "@touchstone/core/schema/sample";
import { promptInput } from "../../functions/_batch/prompt-input.ts";
import { readBatchFile } from "../../functions/_batch/read-batch-file.ts";
import { gistKey } from "../../functions/_batch/staged.ts";
import type { Connection } from "./connection.ts";
import type { FoundSample } from "./find-sample.ts";
import { failure, type Text } from "./problem.ts";
import { gistsOf, templateOf } from "./result-context.ts";
import { promptWords } from "./words/prompt-words.ts";

export interface RebuiltPrompt {
  readonly prompt: JudgePrompt;
  readonly sha256: string;
  /** What SCORE stored when it asked. */
  readonly stored: string;
}

type Ports = Pick<Connection, "blobs" | "templates" | "reviews" | "gist" | "resultsBucket">;

/** The prompt of the first call, which is the one of record. A part that is gone is a problem that names it. */
export const rebuildPrompt = async (connection: Ports, found: FoundSample): Promise<RebuiltPrompt> => {
  const { result } = found.stored;
  if (result.promptSha256 === null || result.template === null)
    throw failure(promptWords.noPrompt(result.sampleId));
  const template = await templateOf(connection, result.template);
  if (template === null) throw gone(promptWords.template());
  const facts = {
    key: found.key,
    pin: result.template,
    template,
    sample: await sourceSample(connection, found),
    gists: await placedGists(connection, found),
    problems: (result.mediaProblems ?? []).map(({ ref, kind }): MediaProblem => ({ ref, kind, message: "" })),
  };
  const input = await unlessGone(promptWords.examplesOrPicture(), promptInput(facts, connection));
  const { contextTokens } = result;
  const prompt = buildPrompt(
    contextTokens === undefined ? input : { ...input, template: withContext(template, contextTokens) },
  );
  return { prompt, sha256: promptSha256(prompt.messages), stored: result.promptSha256 };
};

const gone = (what: Text) => failure(promptWords.gone(what), "gone");

const unlessGone = async <Value>(what: Text, reading: Promise<Value>): Promise<Value> => {
  try {
    return await reading;
  } catch (error) {
    if (errorCode(error) === "object-missing") throw gone(what);
    throw error;
  }
};

const sourceSample = async (
  { blobs }: Pick<Ports, "blobs">,
  { batch, stored }: FoundSample,
): Promise<Sample> => {
  const { line } = stored.result;
  const search = async (): Promise<Sample | null> => {
    for await (const row of readBatchFile(blobs, batch.source))
      if (row.line === line && row.kind === "sample") return row.sample;
    return null;
  };
  const sample = await unlessGone(promptWords.source(line), search());
  if (sample === null) throw gone(promptWords.source(line));
  return sample;
};

const placedGists = async (connection: Ports, found: FoundSample): Promise<readonly PlacedGist[]> => {
  const wanted = found.stored.result.gists ?? [];
  const placed: PlacedGist[] = [];
  let others: ReadonlyMap<string, Gist | null> | null = null;
  for (const one of wanted) {
    const staged = one.digest === undefined ? null : await stagedGist(connection, one.digest);
    others ??= staged === null ? await gistsOf(connection, found) : null;
    const gist = staged ?? others?.get(one.hash) ?? null;
    if (gist === null || !isSame(gist, one)) throw gone(promptWords.gist(one.ref));
    placed.push({ ref: one.ref, gist });
  }
  return placed;
};

/** The cache may have another gist of the same picture by now. */
const isSame = (gist: Gist, { digest }: NonNullable<Result["gists"]>[number]): boolean =>
  digest === undefined || gistDigest(gist) === digest;

const maxGistBytes = 1024 * 1024;

const stagedGist = async ({ blobs, resultsBucket }: Ports, digest: string): Promise<Gist | null> => {
  try {
    const { bytes } = await blobs.read({ bucket: resultsBucket, key: gistKey(digest) }, maxGistBytes);
    return gistSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    if (errorCode(error) === "object-missing") return null;
    throw error;
  }
};
