/** The classifier on folders of pictures, one a class, asked as DESCRIBE asks it: the served container, over HTTP. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { agreedStrategy } from "@touchstone/core/domain/describe/tile-strategy";
import { type StrategyChoice, strategies } from "@touchstone/core/schema/gist";
import { sharpNormaliser } from "../../../functions/_aws/sharp-normaliser.ts";
import { containerStrategyModel } from "../../../infra/cli/container-strategy-model.ts";
import { folderFiles } from "../../../infra/cli/folder-files.ts";
import { startContainer } from "../../../infra/local/sagemaker/container.ts";
import { quantile, rounded } from "../figures.ts";
import { type Classified, confusionOf } from "./confusion.ts";
import { processUsage } from "./process-usage.ts";

const serverFolder = path.resolve(import.meta.dirname, "../../../infra/endpoints/image-strategy");
const timeoutMs = 60_000;

export const measureStrategy = async (folder: string, say: (line: string) => void): Promise<object> => {
  const files = (await folderFiles(folder)).files.map((file) => file.path).sort();
  const known = files.flatMap((file) => {
    const [first, ...inner] = file.split("/");
    const truth = strategies.find((name) => name === first);
    return truth === undefined || inner.length === 0
      ? []
      : [{ file, truth, group: inner.length > 1 ? inner.slice(0, -1).join("/") : null }];
  });
  if (known.length === 0)
    throw new Error(`${folder} has none of the folders ${strategies.join(", ")} with pictures in them`);
  const container = await startContainer({
    directory: serverFolder,
    environment: { BIND_HOST: "127.0.0.1" },
    log: say,
  });
  try {
    const model = containerStrategyModel(container.url);
    const normaliser = sharpNormaliser();
    const classified: Classified[] = [];
    const times: number[] = [];
    const unreadable: string[] = [];
    let name = "?";
    let begun = await processUsage(container.pid);
    for (const { file, truth, group } of known) {
      const outcome = await normaliser.normalise(await readFile(path.join(folder, file)));
      if (outcome.kind !== "picture") {
        unreadable.push(file);
        continue;
      }
      const { picture } = outcome;
      const choices: StrategyChoice[] = [];
      for (const thumbnail of picture.thumbnails) {
        const started = performance.now();
        choices.push(await model.choose(thumbnail, AbortSignal.timeout(timeoutMs)));
        times.push(performance.now() - started);
        // The first call warms the network up.
        if (times.length === 1) begun = await processUsage(container.pid);
      }
      const choice = agreedStrategy(choices);
      name = choice.model;
      classified.push({ file, truth, group, choice });
      if (classified.length % 100 === 0) say(`${classified.length} of ${known.length} pictures`);
    }
    const used = await processUsage(container.pid);
    const steady = times.slice(1);
    const cpuMs = begun && used && steady.length > 0 ? (used.cpuMs - begun.cpuMs) / steady.length : null;
    return {
      ...confusionOf(classified),
      model: name,
      unreadable,
      p50Ms: rounded(quantile(steady, 0.5), 1),
      p95Ms: rounded(quantile(steady, 0.95), 1),
      cpuMsPerImage: cpuMs === null ? null : rounded(cpuMs, 1),
      peakMb: used?.peakMb ?? null,
    };
  } finally {
    await container.stop();
  }
};
