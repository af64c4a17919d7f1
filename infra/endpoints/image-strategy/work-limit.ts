/** Bounds how much a model server works on at once; used by the strategy server and the captioner. */
import { HttpProblem } from "./http-server.ts";

export type WorkLimit = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs at most `running` pieces of work at a time and keeps at most `waiting` more in line, first come first served.
 * Beyond that the caller gets the problem 429 `overloaded` and should come back later.
 */
export function createWorkLimit(running: number, waiting: number): WorkLimit {
  const line: (() => void)[] = [];
  let free = running;
  return async (work) => {
    if (free > 0) free--;
    else {
      if (line.length >= waiting) {
        throw new HttpProblem(429, "overloaded", `${waiting} requests are waiting already; try again later`);
      }
      await new Promise<void>((resolve) => line.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
}
