/** The strategy model port over SageMaker: one normalised picture in, one way to describe it out; DESCRIBE calls it. */
import { permanent, transient } from "@touchstone/core/errors";
import type { StrategyModel } from "@touchstone/core/ports";
import { type StrategyChoice, strategyChoiceSchema } from "@touchstone/core/schema/gist";
import { endpointName, invokeEndpoint, type SageMakerEndpoint } from "./sagemaker-invoke.ts";
import { isObject, parseJson } from "./untrusted-json.ts";

/**
 * The endpoint answers `{"model", "predictions": [{"id", "strategy", "probabilities", "unsure"}]}`, or a
 * prediction of `{"id", "error": {"kind", "message"}}` where it could not see the picture (`refused`).
 */
export const sageMakerStrategyModel = (endpoint: SageMakerEndpoint, version: string): StrategyModel => ({
  version,
  async choose(picture, signal) {
    const type = picture[0] === 0x89 ? "image/png" : "image/jpeg";
    return readChoice(await invokeEndpoint(endpoint, picture, type, signal), endpointName(endpoint));
  },
});

/** The choice in an answer of the model's container, however it was asked. */
export function readChoice(text: string, where: string): StrategyChoice {
  const body = parseJson(text);
  const predictions = isObject(body) ? body.predictions : undefined;
  const first: unknown = Array.isArray(predictions) ? predictions[0] : undefined;
  if (!isObject(body) || !isObject(first)) {
    throw transient(
      "unavailable",
      `${where} answered without "predictions"; is it the image-strategy model?`,
    );
  }
  if (isObject(first.error)) {
    throw permanent("refused", `${where} could not use the picture (${String(first.error.kind)})`);
  }
  const { strategy, probabilities, unsure } = first;
  const choice = strategyChoiceSchema.safeParse({ model: body.model, strategy, probabilities, unsure });
  if (choice.success) return choice.data;
  const issue = choice.error.issues[0];
  throw transient(
    "unavailable",
    `${where} answered a bad "${issue?.path.map(String).join(".")}": ${issue?.message}`,
  );
}
