/** The strategy model port over the model's container itself, without SageMaker before it; `see` and the benches use it. */
import { transient } from "@touchstone/core/errors";
import type { StrategyModel } from "@touchstone/core/ports";
import { readChoice } from "../../functions/_aws/sagemaker-strategy-model.ts";

/** `url` is the container's address; a picture goes to its `/invocations`. */
export const containerStrategyModel = (url: string): StrategyModel => ({
  version: url,
  async choose(picture, signal) {
    const where = `${url.replace(/\/+$/, "")}/invocations`;
    const type = picture[0] === 0x89 ? "image/png" : "image/jpeg";
    const response = await fetch(where, {
      method: "POST",
      headers: { "content-type": type },
      // A copy, since the picture may be a part of a larger buffer.
      body: Uint8Array.from(picture),
      signal,
    });
    const text = await response.text();
    if (!response.ok)
      throw transient("unavailable", `${where} answered ${response.status}: ${text.slice(0, 200)}`);
    return readChoice(text, where);
  },
});
