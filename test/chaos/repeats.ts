/** Delivers one message in ten again while it is in flight, and tells who is interested what was handed out. */
import type { EmbeddedStack } from "../../infra/local/stack.ts";
import type { Tap } from "../../infra/local/tap.ts";
import { draw } from "./draw.ts";
import { identitiesOf } from "./identity.ts";

export interface Repeats {
  readonly tap: Tap;
  /** How many messages each queue handed out, and how many of all once more while they were in flight. */
  readonly handedOut: Readonly<Record<string, number>>;
  readonly repeated: number;
  begin(stack: EmbeddedStack): void;
  end(): void;
}

const share = 0.1;

export const createRepeats = (
  seed: number,
  onMessage: (queue: string, identity: string) => void,
): Repeats => {
  let stack: EmbeddedStack | null = null;
  const handedOut: Record<string, number> = {};
  let repeated = 0;
  return {
    tap: {
      after({ operation, resource: queue, caller }) {
        if (stack === null || operation !== "ReceiveMessage" || !caller.endsWith("/poller")) return;
        stack.repeat(queue, (body, receives) => {
          const kind = queueKind(queue);
          handedOut[kind] = (handedOut[kind] ?? 0) + 1;
          const identities = identitiesOf(body);
          for (const identity of identities) onMessage(queue, identity);
          const again = draw(seed, "again", kind, identities[0] ?? "", receives) < share;
          if (again) repeated += 1;
          return again;
        });
      },
    },
    handedOut,
    get repeated() {
      return repeated;
    },
    begin(started) {
      stack = started;
    },
    end() {
      stack = null;
    },
  };
};

/** Queue names carry generated parts. */
const queueKind = (queue: string): string =>
  /uploads|describe|score|settle|review|learn/i.exec(queue)?.[0].toLowerCase() ?? queue;
