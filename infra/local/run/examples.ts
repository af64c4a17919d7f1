/** Renders the results that `npm start` shows, as `touchstone results --sample` would. */
import pc from "picocolors";
import type { Connection } from "../../cli/connection.ts";
import { findSample } from "../../cli/find-sample.ts";
import { renderResult } from "../../cli/render/result.ts";
import { gistsOf, templateOf } from "../../cli/result-context.ts";
import type { Outcome } from "./closing-report.ts";
import { tellingResults } from "./results.ts";

export const exampleBlocks = async (
  connection: Connection,
  { views, results }: Outcome,
  language: "zh" | "en",
): Promise<readonly string[]> => {
  const style = { language, colors: pc.createColors(process.stdout.isTTY && !process.env.NO_COLOR) };
  const records = await Promise.all(views.map((view) => connection.ledger.batch(view.batch, view.run)));
  const batches = records.filter((record) => record !== null);
  const blocks: string[] = [];
  for (const { sampleId } of tellingResults(results)) {
    for await (const found of findSample(connection, batches, sampleId)) {
      const template = await templateOf(connection, found.stored.result.template);
      blocks.push(renderResult({ found, template, gists: await gistsOf(connection, found) }, style));
      break;
    }
  }
  return blocks;
};
