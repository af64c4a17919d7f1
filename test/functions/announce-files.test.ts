/** SWEEP and the inbox: a file whose event never came is taken in; what is known, new, old or no batch file is left alone. */
import { type BatchId, batchIdSchema } from "@touchstone/core/schema/identity";
import { timing } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { fates, mortal } from "./mortal.ts";
import { createWorld, uploadsBucket, type World } from "./world.ts";

const { quietAfter, announceWithin } = timing().sweep;
const line = jsonl(['{"id":"a","output":"好"}']);

const world = (): World => {
  const made = createWorld({ judge: readingJudge(), captioner: plainCaptioner(), strategy: mixedStrategy() });
  made.stores.templates.put(talkTemplate());
  return made;
};

/** An object that S3 says nothing about. */
const drop = async ({ stores, state }: World, key: string): Promise<BatchId> => {
  const ref = { bucket: uploadsBucket, key };
  await stores.blobs.write(ref, line, "application/jsonl");
  state.now = Math.ceil(state.now / 1000) * 1000;
  const head = await stores.blobs.head(ref);
  return batchIdSchema.parse(`${key.slice("inbox/".length)}@${head?.versionId}`);
};
const pass = ({ state }: World, seconds: number): void => {
  state.now += seconds * 1000;
};

describe("the inbox", () => {
  test.each(["inbox/talk/day/samples.jsonl", "inbox/talk/五月 批次+1/50%.JSONL", "inbox/talk/x.csv"])(
    "%s, which nobody announced, becomes a batch, once",
    async (key) => {
      const it = world();
      const batch = await drop(it, key);
      pass(it, quietAfter);
      expect(await it.sweep()).toMatchObject({ announcedFiles: 1 });
      await it.drain();
      expect(await it.batch(batch)).toMatchObject({ task: "talk", source: { key } });
      expect(await it.sweep()).toMatchObject({ announcedFiles: 0 });
    },
  );

  test("an announced file, a young one, one of last week, media and other folders are left alone", async () => {
    const it = world();
    await drop(it, "inbox/talk/old/samples.jsonl");
    pass(it, announceWithin + 1);
    await upload(it, "inbox/talk/known/samples.jsonl", line);
    await it.drain();
    for (const key of ["inbox/talk/day/a.png", "inbox/talk/day/", "templates/talk/examples.jsonl"])
      await drop(it, key);
    pass(it, quietAfter);
    await drop(it, "inbox/talk/young/samples.jsonl");
    pass(it, quietAfter - 1);
    expect(await it.sweep()).toMatchObject({ announcedFiles: 0 });
    expect(it.queues.uploads).toEqual([]);
  });

  test("a file that INTAKE never gets to is announced five times and no more, further and further apart", async () => {
    const it = world();
    await drop(it, "inbox/talk/day/samples.jsonl");
    const times: number[] = [];
    const start = it.state.now;
    for (let turn = 0; turn < 7 * 288; turn += 1) {
      pass(it, 300);
      if ((await it.sweep()).announcedFiles > 0) times.push((it.state.now - start) / 1000 / quietAfter);
      it.queues.uploads.length = 0;
    }
    expect(times).toEqual([1, 3, 7, 15, 31]);
  });

  test("a large inbox is looked through in stretches of a thousand keys, round and round", async () => {
    const it = world();
    const keys = Array.from(
      { length: 2_500 },
      (_, at) => `inbox/talk/day/media/${String(at).padStart(5, "0")}.png`,
    );
    for (const key of keys) await it.stores.blobs.write({ bucket: uploadsBucket, key }, "x", "image/png");
    await drop(it, "inbox/talk/day/z.jsonl");
    pass(it, quietAfter);
    const announced: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) announced.push((await it.sweep()).announcedFiles);
    expect(announced).toEqual([0, 0, 1]);
    expect(await it.stores.ledger.inboxMark()).toBeNull();
  });

  test.each(fates.map((fate) => [fate]))(
    "a call that %s, at every call: the file is taken in all the same",
    async (fate) => {
      for (let at = 1; ; at += 1) {
        const it = world();
        const batch = await drop(it, "inbox/talk/day/samples.jsonl");
        pass(it, quietAfter);
        const life = mortal(at, fate);
        await it.sweep(life).catch(() => null);
        if (life.calls() < at) return;
        pass(it, 2 * quietAfter);
        await it.sweep();
        await it.drain();
        expect(await it.batch(batch), `call ${at}`).toMatchObject({ sealed: { samples: 1 } });
      }
    },
  );
});
