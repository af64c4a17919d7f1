/** Delivers every S3 event three times, late and out of order, and again until the queue takes it. */
import { setTimeout } from "node:timers/promises";
import type { Deliver } from "../../infra/local/s3/operation.ts";
import { draw } from "./draw.ts";
import { identitiesOf } from "./identity.ts";

export interface UploadEvents {
  readonly wrapDeliver: (deliver: Deliver) => Deliver;
  /** Copies put on the queue so far, and those still on their way. */
  readonly delivered: number;
  readonly pending: number;
}

const copies = 3;
/** Each copy comes within its own span, which overlaps the next: files overtake each other, and so do copies. */
const spanMs = 2_500;
const stepMs = 1_500;
const retryMs = 300;

export const createUploadEvents = (seed: number): UploadEvents => {
  let deliver: Deliver = async () => {};
  let delivered = 0;
  let pending = 0;
  const deliverLater = async (queueArn: string, body: string, copy: number): Promise<void> => {
    await setTimeout(copy * stepMs + draw(seed, "event", identitiesOf(body)[0] ?? "", copy) * spanMs);
    for (;;) {
      try {
        // Looked up each time: services that were stopped have come back as others.
        await deliver(queueArn, body);
        return;
      } catch {
        await setTimeout(retryMs);
      }
    }
  };
  return {
    wrapDeliver(next) {
      deliver = next;
      return async (queueArn, body) => {
        if (body.includes("s3:TestEvent")) return next(queueArn, body);
        for (let copy = 0; copy < copies; copy += 1) {
          pending += 1;
          void deliverLater(queueArn, body, copy).then(() => {
            pending -= 1;
            delivered += 1;
          });
        }
      };
    },
    get delivered() {
      return delivered;
    },
    get pending() {
      return pending;
    },
  };
};
