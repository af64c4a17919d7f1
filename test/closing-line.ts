/** Vitest reporter whose last line says how many tests passed and failed, for whoever reads only that. */
import type { Reporter, TestModule } from "vitest/node";

export const closingLine = (): Reporter => ({
  onTestRunEnd(modules: readonly TestModule[]) {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      // A file that cannot be loaded has no tests to count, yet it has failed.
      if (module.errors().length > 0) counts.failed += 1;
    }
    const skipped = counts.skipped + counts.pending;
    process.on("exit", () => {
      console.log(
        `${counts.passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
      );
    });
  },
});
