/** The judge as one sample meets it: through the endpoint's gate, each call paid from the batch's budget. */
import { callOutcomeOf } from "@touchstone/core/domain/pressure/call-outcome";
import { errorCode } from "@touchstone/core/errors";
import type { ChatModel } from "@touchstone/core/ports";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import type { Template } from "@touchstone/core/schema/template";
import type { CallPurse } from "../_pressure/call-budget.ts";
import type { Pass } from "../_pressure/endpoint-gate.ts";

export interface SampleJudge {
  /** Pays for one call in advance; false where the batch's budget is used up. */
  pay(): Promise<boolean>;
  readonly model: ChatModel;
}

/** A call that the endpoint did not run (it was throttled, or let nobody in) is given back. */
export const sampleJudge = (
  judge: ChatModel,
  pass: Pass,
  purse: CallPurse,
  request: ScoreRequest,
  template: Template,
): SampleJudge => {
  const limit = template.budget.judgeCallsPerBatch;
  const { batch, run } = request.key;
  const key = { batch, run, task: template.task };
  return {
    pay: async () => limit === undefined || purse.take(key, limit),
    model: {
      model: judge.model,
      async complete(chat, signal) {
        try {
          return await pass.call(() => judge.complete(chat, signal));
        } catch (error) {
          if (limit !== undefined && !wasRun(error)) await purse.giveBack(key, limit);
          throw error;
        }
      },
    },
  };
};

const wasRun = (error: unknown): boolean => {
  const outcome = callOutcomeOf(error);
  const code = errorCode(error);
  const isTooMuch = code === "payload-too-large" || code === "context-too-long";
  return outcome !== "busy" && outcome !== "unusable" && !isTooMuch;
};
