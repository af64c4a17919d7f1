/** Which files `see` looks at, and what came of each. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { errorCode } from "@touchstone/core/errors";
import { contentTypeOf } from "./content-type.ts";
import { folderFiles } from "./folder-files.ts";
import { failure } from "./problem.ts";
import { type SeeingPorts, type Seen, seePicture } from "./see-picture.ts";
import { seeProblems } from "./words/see-words.ts";

export interface SeenFile {
  /** Relative to the folder; the name alone where one file was named. */
  readonly file: string;
  /** As it lies on the disk. */
  readonly bytes: number;
  readonly ms: number;
  /** `failed`: the models did, not the picture. */
  readonly seen: Seen | { readonly kind: "failed"; readonly message: string };
}

export interface FilesToSee {
  readonly folder: string;
  readonly files: readonly string[];
  /** Files of the folder that are called neither picture nor video. */
  readonly others: number;
}

/** A file that is named is looked at whatever it is called; in a folder, what has the name of a picture or video. */
export const filesToSee = async (given: string): Promise<FilesToSee> => {
  const found = await stat(given).catch(() => null);
  if (found?.isFile()) return { folder: path.dirname(given), files: [path.basename(given)], others: 0 };
  if (!found?.isDirectory()) throw failure(seeProblems.noFile(given));
  const all = (await folderFiles(given)).files.map((file) => file.path).sort();
  const files = all.filter((file) => /^(image|video)\//.test(contentTypeOf(file)));
  if (files.length === 0) throw failure(seeProblems.noPictures(given, all.length));
  return { folder: given, files, others: all.length - files.length };
};

/** One after the other: the embedded models use every core for one picture. */
export async function* seeFiles(
  { folder, files }: FilesToSee,
  language: "zh" | "en",
  ports: SeeingPorts,
): AsyncGenerator<SeenFile> {
  for (const file of files) {
    const bytes = await readFile(path.join(folder, file));
    const started = performance.now();
    const type = contentTypeOf(file).startsWith("video/") ? "video" : "image";
    const seen = await seePicture(file, bytes, type, language, ports).catch((error: unknown) => {
      if (errorCode(error) === null || !(error instanceof Error)) throw error;
      return { kind: "failed" as const, message: error.message };
    });
    yield { file, bytes: bytes.byteLength, ms: Math.round(performance.now() - started), seen };
  }
}
