/** What every trust store must do; run by trust-store.test.ts against memory and DynamoDB. */
import {
  newFamilyTrust,
  withCalibration,
  withCertification,
} from "@touchstone/core/domain/trust/family-trust";
import { newWatch, withAudit } from "@touchstone/core/domain/watch/watch";
import type { TrustStore } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";
import { fresh, taskId } from "./records.ts";
import { calibration } from "./trust-records.ts";

const watchOf = (task: string, certificate = "dialogue#sample#1") =>
  newWatch({
    ...{
      task: taskId(task),
      certificate,
      fingerprint: "f00d",
      n: 300,
      k: 2,
      alpha: 0.03,
      coverage: 0.9,
      at: 1_700_000_000_000,
    },
    confidences: Array.from({ length: 40 }, (_, index) => 0.6 + index / 100),
  });
const taskName = () => fresh("dialogue");

export const trustStoreContract = (name: string, open: () => TrustStore): void => {
  describe(`trust store: ${name}`, () => {
    test("a family that nobody has written is new", async () => {
      const family = fresh("家族");
      expect(await open().family(family)).toEqual(newFamilyTrust(family));
    });

    test("what was written is read back, to the last digit", async () => {
      const store = open();
      const family = fresh("家族");
      const written = withCalibration(newFamilyTrust(family), calibration({ family }));
      expect(await store.changeFamily(family, () => written)).toEqual(written);
      expect(await store.family(family)).toEqual(written);
    });

    test("changes of eight writers at once all stand, from the first on", async () => {
      const store = open();
      const family = fresh("家族");
      await Promise.all(Array.from({ length: 8 }, () => store.changeFamily(family, withCertification)));
      expect(await store.family(family)).toMatchObject({ version: 8, certifications: 8 });
    });

    test("a change that changes nothing writes nothing", async () => {
      const store = open();
      const family = fresh("家族");
      await store.changeFamily(family, (trust) => trust);
      await store.changeFamily(family, withCertification);
      expect(await store.changeFamily(family, (trust) => trust)).toMatchObject({ version: 1 });
    });

    test("a task that nobody certified is not watched; a watch is read back", async () => {
      const store = open();
      const task = taskName();
      expect(await store.watch(task)).toBeNull();
      expect(await store.changeWatch(task, (watch) => watch)).toBeNull();
      const watch = watchOf(task);
      await store.changeWatch(task, () => watch);
      expect(await store.watch(task)).toEqual(watch);
    });

    test("audits that come at once are all counted", async () => {
      const store = open();
      const task = taskName();
      await store.changeWatch(task, () => watchOf(task));
      await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          store.changeWatch(
            task,
            (watch) => watch && withAudit(watch, { reviewId: `r-${at}`, isError: at === 0, at }),
          ),
        ),
      );
      expect(await store.watch(task)).toMatchObject({ version: 6, audits: { count: 6, errors: 1 } });
    });

    test("a new certificate's watch begins anew, whatever came in between", async () => {
      const store = open();
      const task = taskName();
      await store.changeWatch(task, () => watchOf(task));
      await store.changeWatch(task, () => watchOf(task, "dialogue#sample#2"));
      expect(await store.watch(task)).toMatchObject({ certificate: "dialogue#sample#2", version: 0 });
    });
  });
};
