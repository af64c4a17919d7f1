/** The two models that see pictures: those that the environment names, the embedded ones for the rest. */
import path from "node:path";
import type { ChatModel, StrategyModel } from "@touchstone/core/ports";
import { timing } from "@touchstone/core/timing";
import { chatModel } from "../../functions/_aws/chat-model.ts";
import { sageMakerClient } from "../../functions/_aws/clients.ts";
import { sageMakerStrategyModel } from "../../functions/_aws/sagemaker-strategy-model.ts";
import { startModels } from "../local/run/models.ts";
import { startContainer } from "../local/sagemaker/container.ts";
import { containerStrategyModel } from "./container-strategy-model.ts";

export interface SeeingModels {
  readonly strategy: StrategyModel;
  readonly captioner: ChatModel;
  /** As DESCRIBE has it: an OCR server that a captioner is checked by. */
  readonly textReader: ChatModel | undefined;
  /** Which of them are the embedded ones. */
  readonly embedded: { readonly strategy: boolean; readonly captioner: boolean };
  /** Ends what was started. */
  stop(): Promise<void>;
}

const imageStrategy = path.resolve(import.meta.dirname, "../endpoints/image-strategy");
const sageMakerScheme = "sagemaker:";

/**
 * `CAPTIONER_URL` (with `CAPTIONER_MODEL`) is what DESCRIBE takes; `STRATEGY_URL` is a container's address or
 * `sagemaker:ENDPOINT`. `log` gets what the started servers say.
 */
export const openSeeingModels = async (
  env: Readonly<Record<string, string | undefined>>,
  log: (source: string, line: string) => void,
): Promise<SeeingModels> => {
  const opened = await Promise.allSettled([
    openStrategy(env.STRATEGY_URL || undefined, log),
    startModels(env, log, ["CAPTIONER"]),
  ]);
  const [strategy, captioner] = opened;
  const stop = async (): Promise<void> => {
    for (const one of opened) if (one.status === "fulfilled") await one.value.stop();
  };
  if (strategy.status === "rejected" || captioner.status === "rejected") {
    await stop();
    throw strategy.status === "rejected" ? strategy.reason : Object(captioner).reason;
  }
  const { CAPTIONER_URL = "", CAPTIONER_MODEL = "", TEXT_READER_URL = "" } = captioner.value.environment;
  return {
    strategy: strategy.value.model,
    captioner: seer(CAPTIONER_URL, CAPTIONER_MODEL, env.CAPTIONER_API_KEY),
    textReader: TEXT_READER_URL === "" ? undefined : seer(TEXT_READER_URL, "text-reader"),
    embedded: { strategy: !env.STRATEGY_URL, captioner: !env.CAPTIONER_URL },
    stop,
  };
};

const seer = (url: string, model: string, apiKey?: string): ChatModel =>
  chatModel(url, model, {
    sageMaker: sageMakerClient,
    timeoutMs: timing().modelTimeout.captioner * 1000,
    clock: Date.now,
    apiKey: apiKey || undefined,
  });

const openStrategy = async (
  url: string | undefined,
  log: (source: string, line: string) => void,
): Promise<{ readonly model: StrategyModel; stop(): Promise<void> }> => {
  if (url?.startsWith(sageMakerScheme)) {
    const name = url.slice(sageMakerScheme.length).replace(/^\/+/, "");
    return {
      model: sageMakerStrategyModel({ client: sageMakerClient(), name }, name),
      stop: async () => undefined,
    };
  }
  if (url !== undefined) return { model: containerStrategyModel(url), stop: async () => undefined };
  const container = await startContainer({
    directory: imageStrategy,
    environment: { BIND_HOST: "127.0.0.1" },
    log: (line) => log("image-strategy", line),
  });
  return { model: containerStrategyModel(container.url), stop: () => container.stop() };
};
