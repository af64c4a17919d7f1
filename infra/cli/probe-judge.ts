/** Asks a judge's server what its tokens and probabilities are worth. `touchstone probe` calls it. */

import { readProbe } from "@touchstone/core/domain/probe/probe-findings";
import { judgeAddress } from "@touchstone/core/domain/probe/probe-identity";
import { codeRequest, fullRequest, guidedRequests } from "@touchstone/core/domain/probe/probe-requests";
import { errorKind } from "@touchstone/core/errors";
import type { ChatModel } from "@touchstone/core/ports";
import type { ProbeRecord } from "@touchstone/core/schema/probe";
import * as z from "zod";
import { failure } from "./problem.ts";
import { probeProblems } from "./words/probe-words.ts";

const equalCalls = 5;
const timeoutMs = 120_000;
const warm = 0.7;

/** Nine to eleven calls: the whole answer, five equal ones at once, a warm one, and forced ones until one is taken. */
export const probeJudge = async (judge: ChatModel, url: string, now: number): Promise<ProbeRecord> => {
  const ask = (request: Parameters<ChatModel["complete"]>[0]) =>
    judge.complete(request, AbortSignal.timeout(timeoutMs));
  const full = await ask(fullRequest());
  const codes = await Promise.all(Array.from({ length: equalCalls }, () => ask(codeRequest(0))));
  const replies = { full, codes, warm: await ask(codeRequest(warm)), guided: await firstGuided(ask) };
  return {
    schema: 1,
    url: judgeAddress(url),
    model: judge.model,
    answeredBy: full.model ?? null,
    at: now,
    ...readProbe(replies),
  };
};

/** Servers that do not know a parameter refuse it or pass over it; the first that obeys one is what is looked for. */
const firstGuided = async (
  ask: (request: Parameters<ChatModel["complete"]>[0]) => ReturnType<ChatModel["complete"]>,
) => {
  let passedOver: Parameters<typeof readProbe>[0]["guided"] = null;
  for (const { by, request } of guidedRequests()) {
    try {
      const completion = await ask(request);
      if (/[QZ]/.test(completion.choices?.[0]?.message?.content ?? "")) return { by, completion };
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
  const names = await listModels(`${judgeAddress(url)}/v1/models`);
  const [only, another] = names;
  if (only === undefined || another !== undefined) throw failure(probeProblems.whichModel(names));
  return only;
};

const listModels = async (url: string): Promise<readonly string[]> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: "manual" });
  const parsed = modelsSchema.safeParse(await response.json().catch(() => null));
  return parsed.success ? parsed.data.data.map(({ id }) => id) : [];
};
