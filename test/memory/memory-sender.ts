/** The message sender port in memory; what was sent can be looked at. */
import { permanent } from "@touchstone/core/errors";
import type { MessageSender } from "@touchstone/core/ports";

export interface MemorySender<Message> extends MessageSender<Message> {
  /** In order of sending, as the receiver would parse them. */
  readonly sent: readonly { readonly message: Message; readonly delaySeconds: number }[];
}

export const memorySender = <Message>(bytesLimit = 1_048_576): MemorySender<Message> => {
  const sent: { message: Message; delaySeconds: number }[] = [];
  return {
    sent,
    async send(messages, delaySeconds = 0) {
      const bodies = messages.map((message) => JSON.stringify(message));
      if (bodies.some((body) => Buffer.byteLength(body) > bytesLimit)) {
        throw permanent(
          "payload-too-large",
          `a message has over ${bytesLimit} bytes; send a pointer instead`,
        );
      }
      // A round trip through JSON: what does not survive it must not survive in tests either.
      sent.push(...bodies.map((body) => ({ message: JSON.parse(body), delaySeconds })));
    },
  };
};
