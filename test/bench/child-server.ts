/** Starts a server as a process of its own, so that its CPU time is its own; the benches' judge and sinks run so. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface ChildServer {
  readonly url: string;
  /** Its first line of output. */
  readonly said: string;
  stop(): Promise<void>;
}

/** `file` must print `{"listening": URL}` as its first line. It ends when its stdin does. */
export async function startChildServer(file: URL, args: readonly string[]): Promise<ChildServer> {
  const child = spawn(process.execPath, [file.pathname, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    once(child, "exit").then(([code]) => {
      throw new Error(`${file.pathname} ended with code ${code} before it listened`);
    }),
  ]);
  const url = /"listening":\s*"([^"]+)"/.exec(String(line))?.[1];
  if (url === undefined) throw new Error(`${file.pathname} said ${line}`);
  return {
    url,
    said: String(line),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
