/** Decodes `aws-chunked` bodies (signed chunks, unsigned trailers and signed trailers); `body.ts` pipes uploads through it. */
import { Transform, type TransformCallback } from "node:stream";
import { S3Error } from "./s3-error.ts";

/** Longest accepted size line or trailer line; real ones stay below 200 bytes. */
const maxLineBytes = 8192;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

type State = "size" | "data" | "data-end" | "trailer" | "done";

/**
 * Bytes in, payload bytes out, whatever way the input was cut. Chunk signatures are skipped. `trailers`
 * (names in lower case) is complete once the stream has ended. Broken framing is an IncompleteBody error.
 */
export class AwsChunkedDecoder extends Transform {
  readonly trailers = new Map<string, string>();
  #state: State = "size";
  #line: Buffer[] = [];
  #lineBytes = 0;
  #left = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      let rest = chunk;
      while (rest.length > 0) rest = this.#state === "data" ? this.#takeData(rest) : this.#takeLine(rest);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }

  override _flush(done: TransformCallback): void {
    // Some clients leave out the blank line after the last trailer; a cut inside a chunk is never forgiven.
    const ended = this.#state === "done" || (this.#state === "trailer" && this.#lineBytes === 0);
    done(ended ? null : new S3Error("IncompleteBody", "The aws-chunked body ended before its last chunk."));
  }

  #takeData(input: Buffer): Buffer {
    const data = input.subarray(0, this.#left);
    this.#left -= data.length;
    if (this.#left === 0) this.#state = "data-end";
    this.push(data);
    return input.subarray(data.length);
  }

  #takeLine(input: Buffer): Buffer {
    const end = input.indexOf(lineFeed);
    const piece = end === -1 ? input : input.subarray(0, end + 1);
    this.#line.push(piece);
    this.#lineBytes += piece.length;
    if (this.#lineBytes > maxLineBytes)
      throw new S3Error("IncompleteBody", "An aws-chunked line is too long.");
    if (end === -1) return input.subarray(input.length);
    const line = Buffer.concat(this.#line);
    this.#line = [];
    this.#lineBytes = 0;
    if (line.at(-2) !== carriageReturn) {
      throw new S3Error("IncompleteBody", "An aws-chunked line must end in CR LF.");
    }
    this.#readLine(line.toString("latin1", 0, line.length - 2));
    return input.subarray(end + 1);
  }

  #readLine(line: string): void {
    switch (this.#state) {
      case "size": {
        const size = /^([0-9a-fA-F]{1,12})(;.*)?$/.exec(line)?.[1];
        if (size === undefined)
          throw new S3Error("IncompleteBody", "An aws-chunked chunk has no valid size line.");
        this.#left = Number.parseInt(size, 16);
        this.#state = this.#left === 0 ? "trailer" : "data";
        return;
      }
      case "data-end":
        if (line !== "")
          throw new S3Error("IncompleteBody", "An aws-chunked chunk is longer than its size line says.");
        this.#state = "size";
        return;
      case "trailer": {
        if (line === "") {
          this.#state = "done";
          return;
        }
        const colon = line.indexOf(":");
        if (colon < 1)
          throw new S3Error("MalformedTrailerError", `The trailer "${line}" is not "name:value".`);
        this.trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
        return;
      }
      case "done":
        throw new S3Error("IncompleteBody", "Bytes follow the end of the aws-chunked body.");
      case "data":
        throw new Error("chunk data is not made of lines");
      default:
        throw new Error(`unknown state ${this.#state satisfies never}`);
    }
  }
}
