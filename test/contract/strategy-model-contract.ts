/** What every strategy model must do; run by strategy-model.test.ts against a script and SageMaker. */
import type { StrategyModel } from "@touchstone/core/ports";
import type { StrategyChoice } from "@touchstone/core/schema/gist";
import { describe, expect, test } from "vitest";
import type { StrategyTurnScript } from "../memory/scripted-strategy-model.ts";

export const choice: StrategyChoice = {
  model: "convnext-1",
  strategy: "text",
  probabilities: { text: 0.9, picture: 0.02, mixed: 0.08 },
  unsure: false,
};

export const picture = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

export type OpenStrategyModel = (
  script: readonly StrategyTurnScript[],
) => Promise<{ readonly model: StrategyModel; readonly close: () => Promise<void> }>;

export const strategyModelContract = (name: string, open: OpenStrategyModel): void => {
  describe(`strategy model: ${name}`, () => {
    const ask = async (script: readonly StrategyTurnScript[]): Promise<StrategyChoice> => {
      const { model, close } = await open(script);
      try {
        return await model.choose(picture, new AbortController().signal);
      } finally {
        await close();
      }
    };

    test("a choice comes back whole", async () => {
      expect(await ask([{ kind: "choice", choice }])).toEqual(choice);
    });
    test("throttling is transient", async () => {
      const throttled = { kind: "transient", code: "throttled" };
      await expect(ask([{ kind: "throttled" }])).rejects.toMatchObject(throttled);
    });
    test("a fault of the endpoint is transient", async () => {
      const unavailable = { kind: "transient", code: "unavailable" };
      await expect(ask([{ kind: "unavailable" }])).rejects.toMatchObject(unavailable);
    });
    test("a picture it cannot use is refused for good", async () => {
      await expect(ask([{ kind: "refused" }])).rejects.toMatchObject({ kind: "permanent", code: "refused" });
    });
  });
};
