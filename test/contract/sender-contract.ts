/** What every message sender must do; run by sender.test.ts against memory and SQS. */
import type { MessageSender } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";

export interface Note {
  readonly text: string;
}

export interface SenderHarness {
  /** A sender to a queue of its own, and how to look into that queue. */
  readonly open: () => Promise<{
    readonly sender: MessageSender<Note>;
    readonly received: () => Promise<readonly Note[]>;
  }>;
}

export const senderContract = (name: string, harness: SenderHarness): void => {
  describe(`message sender: ${name}`, () => {
    test("every message arrives once, however many", async () => {
      const { sender, received } = await harness.open();
      const notes = Array.from({ length: 137 }, (_, index) => ({ text: `第${index}条` }));
      await sender.send(notes);
      const texts = (await received()).map(({ text }) => text);
      expect(texts.sort()).toEqual(notes.map(({ text }) => text).sort());
    });

    test("sending nothing is no call", async () => {
      const { sender, received } = await harness.open();
      await sender.send([]);
      expect(await received()).toEqual([]);
    });

    test("text of every kind arrives as it was", async () => {
      const { sender, received } = await harness.open();
      const text = '😀 "quoted" \u0000 \u001f \ufffe \uffff \ud83d alone \u2028 \\ufffe';
      await sender.send([{ text }]);
      expect(await received()).toEqual([{ text }]);
    });

    test("messages that together pass the limit of one call all arrive", async () => {
      const { sender, received } = await harness.open();
      const notes = Array.from({ length: 12 }, (_, index) => ({ text: `${index}-`.padEnd(200_000, "x") }));
      await sender.send(notes);
      expect((await received()).length).toBe(12);
    });

    test("a message over 1 MiB is refused for good and nothing is sent", async () => {
      const { sender, received } = await harness.open();
      const sent = sender.send([{ text: "small" }, { text: "字".repeat(350_000) }]);
      await expect(sent).rejects.toMatchObject({ kind: "permanent", code: "payload-too-large" });
      expect(await received()).toEqual([]);
    });
  });
};
