/** The log file of a run: what functions, model servers and the runner print. */
import { createWriteStream, mkdirSync } from "node:fs";
import path from "node:path";

export interface RunLog {
  write(source: string, line: string): void;
  close(): Promise<void>;
}

export const createRunLog = (file: string): RunLog => {
  mkdirSync(path.dirname(file), { recursive: true });
  const stream = createWriteStream(file);
  return {
    write: (source, line) => void stream.write(`${source}: ${line}\n`),
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
};
