/** What SCORE relies on when it gathers: full calls, nobody told too early, and nobody blamed for a neighbour. */
import { permanent, transient } from "@touchstone/core/errors";
import type { MessageSender } from "@touchstone/core/ports";
import { expect, test } from "vitest";
import { gatheringSender } from "../../functions/_aws/gathering-sender.ts";

/** Never passes in a test: what is sent is sent for another reason. */
const anHour = 3_600_000;
const limits = { most: 10, mostMs: anHour };

interface Recording extends MessageSender<string> {
  readonly calls: (readonly string[])[];
}

const recording = (fault: (messages: readonly string[]) => Error | null = () => null): Recording => {
  const calls: (readonly string[])[] = [];
  return {
    calls,
    async send(messages) {
      calls.push(messages);
      const error = fault(messages);
      if (error) throw error;
    },
  };
};

/** A work that takes a moment before it sends, as every real one does. */
const sending =
  (sender: MessageSender<string>, name: string): (() => Promise<void>) =>
  async () => {
    await Promise.resolve();
    await sender.send([name]);
  };

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `m${index}`);

test("works that end together send together, in calls of ten", async () => {
  const inner = recording();
  const sender = gatheringSender(inner, limits);
  await Promise.all(names(25).map((name) => sender.during(sending(sender, name))));
  expect(inner.calls.map((call) => call.length)).toEqual([10, 10, 5]);
  expect(inner.calls.flat()).toEqual(names(25));
});

test("what is gathered waits for works that go on, and goes out when the last of them ends without sending", async () => {
  const inner = recording();
  const sender = gatheringSender(inner, limits);
  const late = Promise.withResolvers<void>();
  const idle = sender.during(() => late.promise);
  const busy = sender.during(() => sender.send(["one"]));
  await Promise.resolve();
  expect(inner.calls).toEqual([]);
  late.resolve();
  await Promise.all([idle, busy]);
  expect(inner.calls).toEqual([["one"]]);
});

test("nobody waits longer than the limit", async () => {
  const inner = recording();
  const sender = gatheringSender(inner, { ...limits, mostMs: 1 });
  const late = Promise.withResolvers<void>();
  const idle = sender.during(() => late.promise);
  await sender.during(() => sender.send(["one"]));
  expect(inner.calls).toEqual([["one"]]);
  late.resolve();
  await idle;
});

test("outside of a work, with a delay, or with nothing to send, nothing is gathered", async () => {
  const inner = recording();
  const sender = gatheringSender(inner, limits);
  await sender.send(["one"]);
  await sender.send(["two"], 5);
  await sender.send([]);
  expect(inner.calls).toEqual([["one"], ["two"], []]);
});

test("a message that is refused fails its own caller alone, with the queue's own error", async () => {
  const refused = permanent("refused", "the queue refused it");
  const inner = recording((messages) => (messages.includes("m3") ? refused : null));
  const sender = gatheringSender(inner, limits);
  const outcomes = await Promise.allSettled(names(5).map((name) => sender.during(sending(sender, name))));
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(outcomes[3]).toMatchObject({ reason: refused });
});

test("a caller is told only once its message is accepted", async () => {
  const throttled = transient("send-incomplete", "the queue did not take it");
  let broken = true;
  const inner = recording(() => (broken ? throttled : null));
  const sender = gatheringSender(inner, limits);
  const outcomes = await Promise.allSettled(names(2).map((name) => sender.during(sending(sender, name))));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  broken = false;
  await sender.during(() => sender.send(["again"]));
  expect(inner.calls.at(-1)).toEqual(["again"]);
});
