import { defineConfig } from "vitest/config";
import { closingLine } from "./closing-line.ts";

/** What runs without a server, a worker or a clock of its own: these files may share a process. */
const pure = ["test/core/**/*.test.ts", "test/types/**/*.test.ts", "test/*.test.ts"];

/** What runs over the memory ports, or only wires real parts: these files share a process too, and load the code once. */
const light = ["functions", "cli", "bench", "chaos", "events"].map((folder) => `test/${folder}/**/*.test.ts`);

const shared = { isolate: false, setupFiles: ["test/same-environment.ts"] };

/** Vitest requires a default export; biome.json allows it for this one file. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Much of an end-to-end test is waiting; a third worker uses that time on two cores.
    maxWorkers: 3,
    passWithNoTests: false,
    reporters: ["default", closingLine()],
    projects: [
      { extends: true, test: { name: "core", include: pure, ...shared } },
      { extends: true, test: { name: "light", include: light, ...shared } },
      {
        extends: true,
        test: { name: "services", include: ["test/**/*.test.ts"], exclude: [...pure, ...light] },
      },
    ],
  },
});
