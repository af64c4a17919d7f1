/** Puts a folder's template and examples where the pipeline looks for them; submit-folder.ts calls it. */
import { parseTemplate } from "@touchstone/core/domain/template/parse-template";
import type { Connection } from "./connection.ts";
import { examplesFile, templateFile } from "./submit-plan.ts";
import type { TaskFiles } from "./submit-template.ts";
import type { SubmitWords } from "./words/submit-words.ts";

type Ports = Pick<Connection, "blobs" | "uploadsBucket">;

export interface StoredTemplate {
  /** A task that existed before is now another one. */
  readonly replaced: boolean;
  readonly warnings: readonly string[];
}

const maxStoredBytes = 50_000_000;

/** What is already there, byte for byte, is not written again: a new version would void certificates for nothing. */
export const storeTemplate = async (
  connection: Ports,
  task: string,
  { template, examples }: TaskFiles,
  words: SubmitWords,
): Promise<StoredTemplate> => {
  const key = `templates/${task}/${templateFile}`;
  const examplesKey = `templates/${task}/${examplesFile}`;
  const before = await stored(connection, key);
  if (!template && !before) return { replaced: false, warnings: [words.noTemplate(task)] };
  const existed = before !== null;
  // The template comes last: with it a new task begins to exist, and its examples must be there by then.
  const newExamples = examples !== null && !same(await stored(connection, examplesKey), examples);
  if (newExamples) await write(connection, examplesKey, examples, "application/jsonl");
  if (!template || same(before, template.bytes)) return { replaced: existed && newExamples, warnings: [] };
  await write(connection, key, template.bytes, "application/yaml");
  const { version } = template.value;
  const isSameVersion = existed && versionOf(before) === version;
  return { replaced: existed, warnings: isSameVersion ? [words.sameVersion(template.file, version)] : [] };
};

const stored = async ({ blobs, uploadsBucket: bucket }: Ports, key: string): Promise<Uint8Array | null> =>
  (await blobs.head({ bucket, key })) === null
    ? null
    : (await blobs.read({ bucket, key }, maxStoredBytes)).bytes;

const write = ({ blobs, uploadsBucket: bucket }: Ports, key: string, bytes: Uint8Array, type: string) =>
  blobs.write({ bucket, key }, bytes, type);

const same = (left: Uint8Array | null, right: Uint8Array): boolean =>
  left !== null && Buffer.compare(left, right) === 0;

/** Null where the stored template is broken. */
const versionOf = (bytes: Uint8Array): number | null => {
  const parsed = parseTemplate(new TextDecoder().decode(bytes));
  return "template" in parsed ? parsed.template.version : null;
};
