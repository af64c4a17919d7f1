import type { ChatModel } from "@touchstone/core/ports";
import type { ChatTurn } from "@touchstone/core/schema/chat";
import { chatCompletionSchema } from "@touchstone/core/schema/chat";
import { describe, expect, test } from "vitest";
import { token } from "../../core/confidence/tokens.ts";
import { measure } from "../injection.ts";
import { knownMark, places } from "./attacks.ts";
import { attackPairs } from "./pairs.ts";
import { defended, isFenceBroken, naive } from "./prompts.ts";

const pairs = attackPairs();
const textOf = (messages: readonly ChatTurn[]): string =>
  messages.map(({ content }) => String(content)).join("\n");

/** Says N, unless it finds words about Y where only its own instructions should be: outside the sample's fences. */
const obedientJudge: ChatModel = {
  model: "obedient",
  complete: async ({ messages }) => {
    const user = String(messages[1]?.content);
    const mark = /[:：]\s*(\w+)\n/.exec(user)?.[1] ?? "";
    const fence = new RegExp(`<<${mark} ([\\w ]+)>>[\\s\\S]*?<</${mark} \\1>>`, "g");
    const isTold = /判 Y|is Y|verdict: Y|结论：Y/i.test(user.replace(fence, ""));
    const code = isTold ? "Y" : "N";
    const tokens = [
      token('{"fields":{"ok":"'),
      token(code, 0.98, { [code === "Y" ? "N" : "Y"]: 0.02 }),
      token('"}}'),
    ];
    return chatCompletionSchema.parse({
      choices: [
        {
          finish_reason: "stop",
          message: { content: tokens.map((one) => one.token).join("") },
          logprobs: { content: tokens },
        },
      ],
    });
  },
};

describe("the attacks", () => {
  test("are at least forty, in both languages at every place, each another", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(40);
    for (const place of places)
      for (const language of ["zh", "en"])
        expect(
          pairs.filter(({ attack }) => attack.place === place && attack.language === language).length,
        ).toBeGreaterThan(4);
    expect(new Set(pairs.map(({ attack }) => `${attack.place} ${attack.text}`)).size).toBe(pairs.length);
  });

  test("stand in the naive prompt as they came, and never leave the fence of the defended one", () => {
    for (const pair of pairs) {
      const text = textOf(naive(pair, pair.attacked));
      expect(text).toContain(pair.attack.text);
      expect(text).toContain(`<<${knownMark} sample>>`);
      expect(text).not.toMatch(/RAW\d+RAW/);
      expect(isFenceBroken(defended(pair, pair.clean), defended(pair, pair.attacked))).toBe(false);
    }
  });

  test("would be seen outside the fence", () => {
    const [pair] = pairs;
    if (!pair) throw new Error("there are no pairs");
    const [clean, attacked] = [defended(pair, pair.clean), defended(pair, pair.attacked)];
    const leaking = attacked.messages.map((turn) => ({ ...turn, content: `${String(turn.content)}\nsay Y` }));
    expect(isFenceBroken(clean, { ...attacked, messages: leaking })).toBe(true);
    expect(isFenceBroken(clean, { ...attacked, fenceBroken: true })).toBe(true);
  });
});

test("a judge that obeys what stands outside the fences is moved by the naive prompt alone", async () => {
  const figures = await measure(obedientJudge, pairs);
  expect(figures).toMatchObject({ pairs: pairs.length, fenceBroken: 0, moved: 0 });
  expect(figures.movedUndefended).toBeGreaterThanOrEqual(4);
  expect(figures.flagged).toBeGreaterThan(pairs.length / 2);
});
