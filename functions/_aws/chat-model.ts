/** The chat model a URL names: an OpenAI-compatible server, or `sagemaker:<endpoint>`; `stream+` before it streams. */
import type { SageMakerRuntimeClient } from "@aws-sdk/client-sagemaker-runtime";
import type { ChatModel, Clock } from "@touchstone/core/ports";
import { streamScheme } from "./chat-stream.ts";
import { openAiChatModel } from "./openai-chat-model.ts";
import { sageMakerChatModel } from "./sagemaker-chat-model.ts";

const sageMakerScheme = "sagemaker:";

export const chatModel = (
  url: string,
  model: string,
  options: {
    readonly sageMaker: () => SageMakerRuntimeClient;
    readonly timeoutMs: number;
    readonly clock: Clock;
    readonly apiKey?: string | undefined;
  },
): ChatModel => {
  const isStreamed = url.startsWith(streamScheme);
  const address = isStreamed ? url.slice(streamScheme.length) : url;
  return address.startsWith(sageMakerScheme)
    ? sageMakerChatModel(
        { client: options.sageMaker(), name: address.slice(sageMakerScheme.length).replace(/^\/+/, "") },
        model,
        isStreamed,
      )
    : openAiChatModel({
        url: address,
        model,
        isStreamed,
        timeoutMs: options.timeoutMs,
        clock: options.clock,
        apiKey: options.apiKey,
      });
};
