/** The chat model port over SageMaker: the OpenAI protocol inside InvokeEndpoint, as judge or captioner. */
import type { ChatModel } from "@touchstone/core/ports";
import { readCompletion } from "./chat-protocol.ts";
import { chatBody, readStreamed } from "./chat-stream.ts";
import { endpointName, invokeEndpoint, invokeStreaming, type SageMakerEndpoint } from "./sagemaker-invoke.ts";

/**
 * `model` is the name the container serves. Calls over 60 s are ended by SageMaker and come back as `timed-out`; a
 * streamed one may take eight minutes.
 */
export const sageMakerChatModel = (
  endpoint: SageMakerEndpoint,
  model: string,
  isStreamed = false,
): ChatModel => ({
  model,
  async complete(request, signal) {
    const body = Buffer.from(chatBody(request, model, isStreamed));
    const where = endpointName(endpoint);
    return isStreamed
      ? readStreamed(await invokeStreaming(endpoint, body, signal), where)
      : readCompletion(await invokeEndpoint(endpoint, body, "application/json", signal), where);
  },
});
