/** The strategy model port in memory: answers from a script, in turn; the last line repeats. */
import { permanent, transient } from "@touchstone/core/errors";
import type { StrategyModel } from "@touchstone/core/ports";
import type { StrategyChoice } from "@touchstone/core/schema/gist";

export type StrategyTurnScript =
  | { readonly kind: "choice"; readonly choice: StrategyChoice }
  | { readonly kind: "throttled" }
  | { readonly kind: "unavailable" }
  | { readonly kind: "refused" };

export const scriptedStrategyModel = (script: readonly StrategyTurnScript[]): StrategyModel => {
  let calls = 0;
  return {
    version: "scripted",
    async choose() {
      calls += 1;
      const turn = script[Math.min(calls, script.length) - 1];
      if (!turn) throw new Error("the script has no line");
      switch (turn.kind) {
        case "choice":
          return structuredClone(turn.choice);
        case "throttled":
          throw transient("throttled", "scripted");
        case "unavailable":
          throw transient("unavailable", "scripted");
        case "refused":
          throw permanent("refused", "scripted");
        default:
          return turn satisfies never;
      }
    },
  };
};
