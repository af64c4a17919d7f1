/** Gathers what the diagnosis needs: queues, inbox, templates, endpoints. Called by `status`. */
import type { StatusFacts, TemplateFacts } from "@touchstone/core/domain/status/facts";
import { errorKind } from "@touchstone/core/errors";
import { taskIdSchema } from "@touchstone/core/schema/identity";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { endpointNames } from "@touchstone/core/schema/pressure";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import { batchFacts } from "./batch-facts.ts";
import type { Connection } from "./connection.ts";
import { looseFiles } from "./loose-files.ts";
import type { QueueDepths } from "./queues.ts";
import type { TrustFacts } from "./trust-facts.ts";

/** Of more open batches than these only the oldest are looked into. */
const batchesAsked = 20;

export const statusFacts = async (
  connection: Connection,
  batches: readonly BatchRecord[],
  depths: QueueDepths,
  { families, watches }: TrustFacts,
  now: number,
): Promise<StatusFacts> => {
  const { timing } = connection;
  const asked = [...batches].sort((left, right) => left.openedAt - right.openedAt).slice(0, batchesAsked);
  const [loose, templates, breakers, facts, budgets] = await Promise.all([
    looseFiles(connection, now, timing.sweep.announceWithin * 1000),
    templateFacts(connection, asked),
    Promise.all(endpointNames.map((endpoint) => connection.breakers.read(endpoint))),
    inParallel(asked, 4, (record) => batchFacts(connection, record, depths, now)),
    inParallel(asked, 8, ({ batch, run }) => connection.budgets.read(batch, run)),
  ]);
  return {
    ...{ now, timing, templates, breakers, watches },
    trust: families,
    queues: depths,
    looseFiles: loose,
    batches: facts,
    budgets: budgets.flat(),
  };
};

/** Of every task that has a template, and of every batch's own task. */
const templateFacts = async (
  connection: Pick<Connection, "templates">,
  batches: readonly BatchRecord[],
): Promise<readonly TemplateFacts[]> => {
  const named = batches.flatMap(({ task }) => taskIdSchema.safeParse(task).data ?? []);
  const tasks = [...new Set([...(await connection.templates.tasks()), ...named])].sort();
  return inParallel(tasks, 8, async (task): Promise<TemplateFacts> => {
    try {
      return { task, state: (await connection.templates.current(task)) === null ? "missing" : "present" };
    } catch (error) {
      if (errorKind(error) === "transient") throw error;
      return { task, state: "broken", message: error instanceof Error ? error.message : String(error) };
    }
  });
};
