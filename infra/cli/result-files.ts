/** The result files of a batch, as far as SETTLE has written them. */
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Connection } from "./connection.ts";

export interface ResultFile {
  /** `s3://…` */
  readonly uri: string;
  readonly key: string;
  readonly bytes: number;
}

/** Without the part files of the splits. */
export const resultFiles = async (
  connection: Pick<Connection, "blobs" | "resultsBucket">,
  record: BatchRecord,
): Promise<readonly ResultFile[]> => {
  const folder = resultFolder(record);
  const files: ResultFile[] = [];
  for await (const { key, bytes } of connection.blobs.list(connection.resultsBucket, folder)) {
    if (key.slice(folder.length).includes("/")) continue;
    files.push({ uri: `s3://${connection.resultsBucket}/${key}`, key, bytes });
  }
  return files;
};
