/** LEARN: what people say of the machine's answers, and how its traffic looks, decides whether a certificate still stands. */
import type { LearnMessage } from "@touchstone/core/schema/learn";
import { type TrafficPorts, watchTraffic } from "./watch-traffic.ts";
import { type VerdictPorts, watchVerdict } from "./watch-verdict.ts";

export type LearnPorts = VerdictPorts & TrafficPorts;

/** Everything it does may be repeated: the watch remembers what it has counted, a task opens once, a void stays void. */
export const learn = (message: LearnMessage, ports: LearnPorts): Promise<void> => {
  switch (message.kind) {
    case "verdict":
      return watchVerdict(message, ports);
    case "traffic":
      return watchTraffic(message, ports);
    default:
      return message satisfies never;
  }
};
