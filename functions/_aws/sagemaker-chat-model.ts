/** The chat model port over SageMaker: the OpenAI protocol inside InvokeEndpoint, as judge or captioner. */
import type { ChatModel } from "@touchstone/core/ports";
import { readCompletion } from "./chat-protocol.ts";
import { endpointName, invokeEndpoint, type SageMakerEndpoint } from "./sagemaker-invoke.ts";

/** `model` is the name the container serves. Calls over 60 s are ended by SageMaker and come back as `timed-out`. */
export const sageMakerChatModel = (endpoint: SageMakerEndpoint, model: string): ChatModel => ({
  model,
  async complete(request, signal) {
    const body = Buffer.from(JSON.stringify({ ...request, model }));
    return readCompletion(
      await invokeEndpoint(endpoint, body, "application/json", signal),
      endpointName(endpoint),
    );
  },
});
