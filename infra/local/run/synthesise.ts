/** Writes the cloud assembly that is then run, with native parts for this machine. */
import { rm } from "node:fs/promises";
import { buildApp } from "../../app.ts";
import { configFrom } from "../../config.ts";

/** The directory of the assembly. Nothing of an earlier one is left in it. */
export const synthesise = async (
  directory: string,
  context: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  await rm(directory, { recursive: true, force: true });
  const app = await buildApp(configFrom({ native: "host", ...context }), directory);
  return app.synth().directory;
};
