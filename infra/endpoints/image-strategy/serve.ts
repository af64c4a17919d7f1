/**
 * The image-strategy endpoint behind SageMaker's container contract: `GET /ping` and `POST /invocations`. The
 * container starts it; the embedded run starts the same file with BIND_HOST=127.0.0.1.
 */
import sharp from "sharp";
import { type Classifier, loadClassifier } from "./classifier.ts";
import { isUnreadable } from "./decode-image.ts";
import { closeOnSignal, type RunningServer, startHttpServer } from "./http-server.ts";
import { type InvocationImage, readInvocation } from "./invocation.ts";
import type { StrategyPrediction } from "./strategy-model.ts";
import { createWorkLimit } from "./work-limit.ts";

export type ImageAnswer =
  | ({ readonly id: string } & StrategyPrediction)
  | { readonly id: string; readonly error: { readonly kind: "unreadable"; readonly message: string } };

const maxBodyBytes = 25 * 1024 * 1024;
/** While one picture is in the network, a second is decoded. */
const running = 2;
const maxWaiting = 256;

// A picture is decoded in a few milliseconds: threads and a cache of pictures that never come again cost more than they give.
sharp.concurrency(1);
sharp.cache(false);

/** Loads the network, then listens; `port` 0 picks a free one. */
export async function startImageStrategy(options: { port: number; host: string }): Promise<RunningServer> {
  const classifier = await loadClassifier();
  const limit = createWorkLimit(running, maxWaiting);
  return startHttpServer({
    ...options,
    maxBodyBytes,
    errorBody: (problem) => ({ error: { kind: problem.code, message: problem.message } }),
    routes: {
      "GET /ping": () => ({ status: 200, body: { status: "ready", model: classifier.model } }),
      "POST /invocations": async (request) => {
        const predictions: ImageAnswer[] = [];
        for (const image of readInvocation(request)) {
          predictions.push(await limit(() => answerImage(image, classifier)));
        }
        return { status: 200, body: { model: classifier.model, predictions } };
      },
    },
  });
}

/** A picture that cannot be read fails alone; its neighbours are answered. */
async function answerImage({ id, bytes }: InvocationImage, classifier: Classifier): Promise<ImageAnswer> {
  try {
    return { id, ...(await classifier.classify(bytes)) };
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
