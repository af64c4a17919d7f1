/**
 * The image-strategy endpoint behind SageMaker's container contract: `GET /ping` and `POST /invocations`. The
 * container starts it; the embedded run starts the same file with BIND_HOST=127.0.0.1.
 */
import { availableParallelism } from "node:os";
import { decodeImage, isUnreadable } from "./decode-image.ts";
import { closeOnSignal, type RunningServer, startHttpServer } from "./http-server.ts";
import { type InvocationImage, readInvocation } from "./invocation.ts";
import { pictureStatistics } from "./picture-statistics.ts";
import { predictStrategy, type StrategyPrediction, strategyModel } from "./strategy-model.ts";
import { loadTextDetector, type TextDetector } from "./text-detector.ts";
import { createWorkLimit } from "./work-limit.ts";

export type ImageAnswer =
  | ({ readonly id: string } & StrategyPrediction)
  | { readonly id: string; readonly error: { readonly kind: "unreadable"; readonly message: string } };

/** The weights of the model were fitted at this size. */
const workingSide = 480;
/** Of a long chat or page the middle is looked at: shrunk as a whole it would be a thread. */
const decodeLimits = { maxShortSide: workingSide, maxLongSide: workingSide, maxAspect: 3 };
const maxBodyBytes = 25 * 1024 * 1024;
/** The network uses every core by itself; a second picture is decoded meanwhile. */
const running = 2;
const maxWaiting = 256;

/** Loads the network, then listens; `port` 0 picks a free one. */
export async function startImageStrategy(options: { port: number; host: string }): Promise<RunningServer> {
  const detect = await loadTextDetector(availableParallelism());
  const limit = createWorkLimit(running, maxWaiting);
  return startHttpServer({
    ...options,
    maxBodyBytes,
    errorBody: (problem) => ({ error: { kind: problem.code, message: problem.message } }),
    routes: {
      "GET /ping": () => ({ status: 200, body: { status: "ready", model: strategyModel } }),
      "POST /invocations": async (request) => {
        const predictions: ImageAnswer[] = [];
        for (const image of readInvocation(request)) {
          predictions.push(await limit(() => answerImage(image, detect)));
        }
        return { status: 200, body: { model: strategyModel, predictions } };
      },
    },
  });
}

/** A picture that cannot be read fails alone; its neighbours are answered. */
async function answerImage({ id, bytes }: InvocationImage, detect: TextDetector): Promise<ImageAnswer> {
  try {
    const image = await decodeImage(bytes, decodeLimits);
    return { id, ...predictStrategy(pictureStatistics(image, await detect(image, workingSide))) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { id, error: { kind: "unreadable", message: error.message } };
  }
}

if (import.meta.main) {
  const server = await startImageStrategy({
    host: process.env.BIND_HOST ?? "0.0.0.0",
    port: Number(process.env.SAGEMAKER_BIND_TO_PORT ?? 8080),
  });
  closeOnSignal(server);
  console.log(JSON.stringify({ listening: server.url }));
}
