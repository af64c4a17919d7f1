/** Gunzips a batch file; several members in a row are one stream. */
import { createGunzip, type Gunzip } from "node:zlib";
import { damaged } from "./damage.ts";

/** A step expands to 16 MB at most. */
const stepBytes = 16 * 1024;

/**
 * Takes the compressed bytes in equal steps and gives out all that each step held before it fails: a damaged file then
 * yields the same bytes at every reading, which INTAKE's splits and SWEEP's re-sends rely on.
 */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const stream = createGunzip();
  const drain = (): void => {
    for (let piece: unknown = stream.read(); piece instanceof Uint8Array; piece = stream.read()) {
      ready.push(piece);
    }
  };
  stream.on("readable", drain);
  const failure = failureOf(stream);
  try {
    for await (const step of inSteps(chunks)) {
      const error = await Promise.race([written(stream, step), failure]);
      drain();
      yield* ready.splice(0);
      if (error) throw damaged("the gzip stream is damaged or cut off", error);
    }
    const error = await Promise.race([ended(stream), failure]);
    drain();
    yield* ready.splice(0);
    if (error) throw damaged("the gzip stream is damaged or cut off", error);
  } finally {
    stream.destroy();
  }
}

const failureOf = (stream: Gunzip): Promise<Error> => new Promise((resolve) => stream.once("error", resolve));

const written = (stream: Gunzip, step: Uint8Array): Promise<Error | null> =>
  new Promise((resolve) => stream.write(step, (error) => resolve(error ?? null)));

/** The end is read, not only written: zlib flushes what it holds after the last step. */
const ended = (stream: Gunzip): Promise<null> =>
  new Promise((resolve) => {
    stream.once("end", () => resolve(null));
    stream.end();
  });

async function* inSteps(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let step = new Uint8Array(stepBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const taken = chunk.subarray(from, from + stepBytes - filled);
      step.set(taken, filled);
      filled += taken.length;
      from += taken.length;
      if (filled < stepBytes) continue;
      yield step;
      step = new Uint8Array(stepBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield step.subarray(0, filled);
}
