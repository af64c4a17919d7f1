/** Kills a function when its n-th call of a kind has taken effect and before it hears of it: between two writes. */
import type { ItemWrite, ServiceCall, Tap } from "../../infra/local/tap.ts";
import { itemWrites } from "../item-writes.ts";

export interface KillPoint {
  /** What has been written, and what has not. */
  readonly name: string;
  /** Part of the function's logical id. */
  readonly caller: string;
  /** The operation, or the write that is among those of the call. */
  readonly made: string | ((write: ItemWrite) => boolean);
  readonly resource: RegExp;
  /** Which successful call of this kind, from 1. */
  readonly nth: number;
}

export interface KillSwitch {
  readonly tap: Tap;
  /** Names of the points at which a kill has happened, in order. */
  readonly fired: readonly string[];
  /** Epoch milliseconds of the last kill. */
  lastKillAt(): number;
  arm(points: readonly KillPoint[]): void;
  /** Set once the stack is there. */
  killer: (functionId: string) => Promise<void>;
}

export const createKillSwitch = (): KillSwitch => {
  const fired: string[] = [];
  let lastAt = 0;
  let armed: { readonly point: KillPoint; seen: number }[] = [];
  const matches = (point: KillPoint, call: ServiceCall): boolean =>
    call.caller.includes(point.caller) &&
    (typeof point.made === "string" ? call.operation === point.made : itemWrites(call).some(point.made)) &&
    point.resource.test(call.resource);
  const kill: KillSwitch = {
    fired,
    killer: async () => {},
    lastKillAt: () => lastAt,
    arm(points) {
      armed = [...armed, ...points.map((point) => ({ point, seen: 0 }))];
    },
    tap: {
      async after(call, reply) {
        if (reply.status >= 300) return;
        for (const entry of armed) if (matches(entry.point, call)) entry.seen += 1;
        const due = armed.find(({ point, seen }) => matches(point, call) && seen === point.nth);
        if (!due) return;
        armed = armed.filter((entry) => entry !== due);
        fired.push(due.point.name);
        lastAt = Date.now();
        await kill.killer(call.caller);
      },
    },
  };
  return kill;
};
