import { defineConfig } from "vitest/config";
import { closingLine } from "./closing-line.ts";

/** Vitest requires a default export; biome.json allows it for this one file. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["node_modules", "cdk.out", ".build", ".touchstone"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    passWithNoTests: false,
    reporters: ["default", closingLine()],
  },
});
