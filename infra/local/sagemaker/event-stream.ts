/** AWS's event stream encoding, as far as a streamed model answer needs it. Used by the SageMaker runtime. */
import { crc32 } from "node:zlib";

const stringType = 7;

const header = (name: string, value: string): Buffer => {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([stringType]), length, text]);
};

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** One event: two lengths and their checksum, headers, payload, checksum of it all. */
const message = (headers: Readonly<Record<string, string>>, payload: Buffer): Buffer => {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const lengths = Buffer.concat([uint32(head.length + payload.length + 16), uint32(head.length)]);
  const body = Buffer.concat([lengths, uint32(crc32(lengths)), head, payload]);
  return Buffer.concat([body, uint32(crc32(body))]);
};

/** A piece of the container's answer. */
export const payloadPart = (bytes: Buffer): Buffer =>
  message(
    { ":message-type": "event", ":event-type": "PayloadPart", ":content-type": "application/octet-stream" },
    bytes,
  );

/** The container failed in the middle of its answer. */
export const modelStreamError = (text: string): Buffer =>
  message(
    {
      ":message-type": "exception",
      ":exception-type": "ModelStreamError",
      ":content-type": "application/json",
    },
    Buffer.from(JSON.stringify({ Message: text, ErrorCode: "ModelInvocationTimeExceeded" })),
  );
