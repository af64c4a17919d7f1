/** The operator's command line: `npm run touchstone -- <command>`. */
import { userInfo } from "node:os";
import pc from "picocolors";
import { openConnection } from "./connection.ts";
import { runCli } from "./run-cli.ts";
import { projectRoot } from "./session.ts";

// A reader that has seen enough, like `head`, closes the pipe; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/** Containers often set no USER, and some have no name for it either. */
const userName = (): string | undefined => {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
};

process.exitCode = await runCli(process.argv.slice(2), {
  root: projectRoot,
  env: { USER: userName(), ...process.env },
  now: Date.now,
  stdout: (line) => void process.stdout.write(`${line}\n`),
  stderr: (line) => void process.stderr.write(`${line}\n`),
  isColored: pc.isColorSupported && process.stdout.isTTY === true,
  connect: openConnection,
});
