/** Starts the embedded model servers that no environment variable replaces. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

export interface RunningModels {
  /** What the functions get to know: `JUDGE_URL`, `JUDGE_MODEL`, `CAPTIONER_URL`, `CAPTIONER_MODEL`, `TEXT_READER_URL`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the judge is the embedded baseline. */
  readonly baselineJudge: boolean;
  stop(): Promise<void>;
}

const endpoints = path.resolve(import.meta.dirname, "../../endpoints");
const startLimitMs = 60_000;

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

const folders = { JUDGE: "baseline-judge", CAPTIONER: "captioner" } as const;
type ModelName = keyof typeof folders;

/** A model that the user names by URL is used as it is; the others are started as processes of their own. */
export const startModels = async (
  given: Readonly<Record<string, string | undefined>>,
  log: (source: string, line: string) => void,
  wanted: readonly ModelName[] = ["JUDGE", "CAPTIONER"],
): Promise<RunningModels> => {
  const children: ChildProcess[] = [];
  const model = async (name: ModelName): Promise<Record<string, string>> => {
    const url = given[`${name}_URL`];
    if (url !== undefined && url !== "") {
      const own = { [`${name}_URL`]: url, [`${name}_MODEL`]: given[`${name}_MODEL`] ?? "default" };
      return name === "CAPTIONER" ? { ...own, ...(await textReader()) } : own;
    }
    const server = await start(folders[name]);
    return { [`${name}_URL`]: `${server.url}/v1`, [`${name}_MODEL`]: await modelName(server.url) };
  };
  /** A captioner of the user's own is held against our OCR; `TEXT_READER_URL` names another reader, empty none. */
  const textReader = async (): Promise<Record<string, string>> => {
    const url = given.TEXT_READER_URL ?? `${(await start(folders.CAPTIONER)).url}/v1`;
    return { TEXT_READER_URL: url };
  };
  const start = async (folder: string): Promise<Server> => {
    const server = await startServer(path.join(endpoints, folder, "server.ts"), folder, log);
    children.push(server.child);
    return server;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill("SIGTERM");
        await once(child, "exit");
      }),
    );
  };
  const started = await Promise.allSettled(wanted.map(model));
  const failed = started.find((outcome) => outcome.status === "rejected");
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const environment = Object.assign(
    {},
    ...started.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : {})),
  );
  return { environment, baselineJudge: !given.JUDGE_URL, stop };
};

/** A server says where it listens in its first line of output, as JSON. */
const startServer = async (
  file: string,
  name: string,
  log: (source: string, line: string) => void,
): Promise<Server> => {
  const child = spawn(process.execPath, [file, "--port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  const lines = createInterface({ input: child.stdout });
  createInterface({ input: child.stderr }).on("line", (line) => log(name, line));
  return await new Promise<Server>((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill("SIGKILL");
      reject(new Error(`the ${name} server did not start: ${why}`));
    };
    const timer = setTimeout(() => fail("it said nothing for a minute"), startLimitMs);
    child.once("exit", (code) => fail(`it ended with code ${code}`));
    lines.on("line", (line) => {
      const url = /"listening"\s*:\s*"([^"]+)"/.exec(line)?.[1];
      if (url === undefined) return log(name, line);
      clearTimeout(timer);
      child.removeAllListeners("exit");
      resolve({ url: url.replace(/\/+$/, "").replace(/\/v1$/, ""), child });
    });
  });
};

const modelName = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/v1/models`);
  const body: unknown = await response.json();
  const name = /"id"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(body))?.[1];
  if (name === undefined) throw new Error(`the model server at ${url} names no model`);
  return name;
};
