/** Asks a judge's server what its tokens and probabilities are worth. `touchstone probe` calls it. */
import { type ProbeReplies, readProbe } from "@touchstone/core/domain/probe/probe-findings";
import { judgeAddress } from "@touchstone/core/domain/probe/probe-identity";
import { codeRequest, fullRequest, guidedRequests } from "@touchstone/core/domain/probe/probe-requests";
import { errorCode, errorKind } from "@touchstone/core/errors";
import type { ChatModel } from "@touchstone/core/ports";
import type { ProbeRecord } from "@touchstone/core/schema/probe";
import * as z from "zod";
import { failure } from "./problem.ts";
import { probeProblems } from "./words/probe-words.ts";

type Ask = (request: Parameters<ChatModel["complete"]>[0]) => ReturnType<ChatModel["complete"]>;

const equalCalls = 5;
const timeoutMs = 120_000;
const warm = 0.7;

/** Eight to ten calls: the whole answer, five equal ones at once, a warm one, and forced ones until one is taken. */
export const probeJudge = async (judge: ChatModel, url: string, now: number): Promise<ProbeRecord> => {
  const ask: Ask = (request) => judge.complete(request, AbortSignal.timeout(timeoutMs));
  const replies = await allReplies(ask).catch((error: unknown) => {
    if (errorCode(error) === null || !(error instanceof Error)) throw error;
    throw failure(probeProblems.failed(error.message));
  });
  return {
    schema: 1,
    url: judgeAddress(url),
    model: judge.model,
    answeredBy: replies.full.model ?? null,
    at: now,
    ...readProbe(replies),
  };
};

const allReplies = async (ask: Ask): Promise<ProbeReplies> => ({
  full: await ask(fullRequest()),
  codes: await Promise.all(Array.from({ length: equalCalls }, () => ask(codeRequest(0)))),
  warm: await ask(codeRequest(warm)),
  guided: await firstGuided(ask),
});

/** Servers that do not know a parameter refuse it or pass over it; the first that obeys one is what is looked for. */
const firstGuided = async (ask: Ask): Promise<ProbeReplies["guided"]> => {
  let passedOver: ProbeReplies["guided"] = null;
  for (const { by, request } of guidedRequests()) {
    try {
      const completion = await ask(request);
      if (/^\W*(?:code\W*)?[QZ]\W*$/.test(completion.choices?.[0]?.message?.content ?? ""))
        return { by, completion };
      passedOver ??= { by, completion };
    } catch (error) {
      if (errorKind(error) !== "permanent") throw error;
    }
  }
  return passedOver;
};

const modelsSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** The one model that an OpenAI-compatible server lists; a problem where it lists none or several. */
export const onlyModel = async (url: string): Promise<string> => {
  const address = judgeAddress(url).replace(/^stream\+/, "");
  const names = address.startsWith("http") ? await listModels(`${address}/v1/models`) : [];
  const [only, another] = names;
  if (only === undefined || another !== undefined) throw failure(probeProblems.whichModel(names));
  return only;
};

const listModels = async (url: string): Promise<readonly string[]> => {
  const options = { signal: AbortSignal.timeout(timeoutMs), redirect: "manual" } as const;
  const response = await fetch(url, options).catch((error: unknown) => {
    throw failure(probeProblems.failed(`${url} does not answer (${String(error)})`));
  });
  const parsed = modelsSchema.safeParse(await response.json().catch(() => null));
  return parsed.success ? parsed.data.data.map(({ id }) => id) : [];
};
