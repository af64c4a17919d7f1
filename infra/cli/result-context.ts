/** What a result refers to and does not hold: its template version, and the texts of its gists. */
import { errorCode } from "@touchstone/core/errors";
import type { Gist } from "@touchstone/core/schema/gist";
import { formatSampleKey } from "@touchstone/core/schema/identity";
import { reviewKinds } from "@touchstone/core/schema/review";
import type { Template, TemplatePin } from "@touchstone/core/schema/template";
import type { Connection } from "./connection.ts";
import type { FoundSample } from "./find-sample.ts";

/** The pinned template; null where there is none, or where its version is gone. */
export const templateOf = async (
  connection: Pick<Connection, "templates">,
  pin: TemplatePin | null,
): Promise<Template | null> => {
  if (pin === null) return null;
  try {
    return await connection.templates.pinned(pin);
  } catch (error) {
    if (errorCode(error) === "object-missing") return null;
    throw error;
  }
};

/** Gists by hash: from the sample's review task where it has one, else from the cache. */
export const gistsOf = async (
  connection: Pick<Connection, "reviews" | "gist">,
  { key, stored }: FoundSample,
): Promise<ReadonlyMap<string, Gist | null>> => {
  const wanted = stored.result.gists ?? [];
  const gists = new Map<string, Gist | null>();
  if (wanted.length === 0) return gists;
  for (const kind of reviewKinds) {
    const task = await connection.reviews.get(`${formatSampleKey(key)}#${kind}`);
    for (const { gist } of task?.gists ?? []) gists.set(gist.hash, gist);
  }
  for (const { hash, strategy } of wanted)
    if (!gists.has(hash)) gists.set(hash, await connection.gist({ hash, strategy }));
  return gists;
};
