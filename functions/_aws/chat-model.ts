/** The chat model a URL names: an OpenAI-compatible server, or `sagemaker:<endpoint>`. */
import type { SageMakerRuntimeClient } from "@aws-sdk/client-sagemaker-runtime";
import type { ChatModel, Clock } from "@touchstone/core/ports";
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
): ChatModel =>
  url.startsWith(sageMakerScheme)
    ? sageMakerChatModel(
        { client: options.sageMaker(), name: url.slice(sageMakerScheme.length).replace(/^\/+/, "") },
        model,
      )
    : openAiChatModel({
        url,
        model,
        timeoutMs: options.timeoutMs,
        clock: options.clock,
        apiKey: options.apiKey,
      });
