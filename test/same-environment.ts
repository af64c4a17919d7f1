/** Files that share a process each find the environment that the first one found: run before each of them (vitest.config.ts). */
import { afterAll } from "vitest";

const found = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in found)) delete process.env[name];
  Object.assign(process.env, found);
});
