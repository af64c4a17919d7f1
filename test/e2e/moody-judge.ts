/** A judge server whose mood a test sets: it answers as scripted, throttles, fails, or hangs up without a word. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { bodyOf, completion, sampleIn } from "./scripted-judge.ts";

export const moods = ["well", "throttling", "ill", "gone"] as const;
export type Mood = (typeof moods)[number];

export interface MoodyJudge {
  readonly url: string;
  mood: Mood;
  close(): Promise<void>;
}

/** Long enough for a test to look at what waits. */
const retryAfterSeconds = 3;

export const startMoodyJudge = async (): Promise<MoodyJudge> => {
  const server = createServer(async (request, response) => {
    const { text } = sampleIn(await bodyOf(request));
    const answer = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    };
    switch (judge.mood) {
      case "well":
        return answer(200, completion(text));
      case "throttling":
        return answer(429, { error: { message: "slow down" } }, { "retry-after": String(retryAfterSeconds) });
      case "ill":
        return answer(500, { error: { message: "out of order" } });
      case "gone":
        return answer(401, { error: { message: "who are you?" } });
      default:
        return judge.mood satisfies never;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const judge: MoodyJudge = {
    url: `http://127.0.0.1:${port}/v1`,
    mood: "well",
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return judge;
};
