/** Ports at whose calls a process may die or a call may fail; crash tests run a hop once for every call it makes. */
import { transient } from "@touchstone/core/errors";

/**
 * `dies-before`: the process ends before the call takes effect. `dies-after`: the call took effect, and nothing after it.
 * `fails`: this one call fails and the process goes on. `unsure`: it took effect, but the caller is told that it failed.
 */
export const fates = ["dies-before", "dies-after", "fails", "unsure"] as const;
export type Fate = (typeof fates)[number];

export interface Mortal {
  /** Every method of the port counts as one call, every item of an async iterable as another. */
  readonly bind: <Port extends object>(port: Port) => Port;
  /** A plain function as a port of one call. */
  readonly bindCall: <Arguments extends unknown[], Value>(
    call: (...given: Arguments) => Promise<Value>,
  ) => (...given: Arguments) => Promise<Value>;
  readonly calls: () => number;
  readonly isDead: () => boolean;
}

const iterating: ReadonlySet<string | symbol> = new Set(["list", "openBatches", "undecided", "unheard"]);

const gone = () => transient("unavailable", "this process is dead");

const atOnce = async (): Promise<void> => undefined;

/**
 * Meets its fate at call number `at`, from 1; 0 lives for ever. Every call first waits for its `turn`, so that a test
 * can order the calls of several processes.
 */
export const mortal = (at: number, fate: Fate, turn: () => Promise<void> = atOnce): Mortal => {
  let calls = 0;
  let dead = false;

  const around = async <Value>(call: () => Promise<Value> | Value): Promise<Value> => {
    await turn();
    if (dead) throw gone();
    calls += 1;
    const isIt = calls === at;
    if (isIt && fate === "dies-before") dead = true;
    if (isIt && (fate === "dies-before" || fate === "fails"))
      throw transient("unavailable", `call ${at} failed`);
    const value = await call();
    // Others die while this one waits for its answer.
    if (dead) throw gone();
    if (!isIt) return value;
    if (fate === "dies-after") dead = true;
    throw transient("unavailable", `call ${at} took effect, its answer was lost`);
  };
  async function* stepwise<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    const iterator = items[Symbol.asyncIterator]();
    for (;;) {
      const next = await around(() => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  }
  const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
    typeof value === "object" && value !== null && Symbol.asyncIterator in value;

  return {
    bind: (port) =>
      new Proxy(port, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== "function") return member;
          return (...given: unknown[]) => {
            // Calling these has no effect before the first step.
            if (iterating.has(name)) {
              const items: unknown = member.apply(target, given);
              return isIterable(items) ? stepwise(items) : items;
            }
            return around(async () => {
              const value: unknown = await member.apply(target, given);
              return isIterable(value) ? stepwise(value) : value;
            });
          };
        },
      }),
    bindCall:
      (call) =>
      (...given) =>
        around(() => call(...given)),
    calls: () => calls,
    isDead: () => dead,
  };
};
