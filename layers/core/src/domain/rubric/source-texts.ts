/** Where a criterion looks: the texts of its file, of the reference, the gists or the judged output. */
import { type Content, contentParts } from "../../schema/content.ts";
import type { PlacedGist } from "../../schema/gist.ts";
import type { Criterion } from "../../schema/rubric.ts";
import type { Sample } from "../../schema/sample.ts";
import { withoutCopyMarks } from "../describe/caption-prompt.ts";

export interface SourceTexts {
  readonly texts: readonly string[];
  /** Pictures in it whose words nobody has read; what is not found may stand there. */
  readonly unread: number;
}

/** The criterion's texts with the gists of their pictures; null where the sample has no such file or part. */
export function sourceTexts(
  criterion: Criterion,
  sample: Sample,
  gists: readonly PlacedGist[],
): SourceTexts | null {
  const contents = sourceContents(criterion, sample);
  if (contents === "gists") {
    return gists.length === 0
      ? null
      : { texts: gists.map(({ gist }) => withoutCopyMarks(gist.text)), unread: 0 };
  }
  if (contents.length === 0) return null;
  const parts = contents.map(contentParts);
  const pictures = parts.flat().flatMap((part) => (part.type === "text" ? [] : [part.ref]));
  const read = pictures.map((ref) => gists.find((gist) => gist.ref === ref)?.gist);
  return {
    texts: [
      ...parts.map((own) => own.map((part) => (part.type === "text" ? part.text : "")).join("\n")),
      ...read.flatMap((gist) => (gist === undefined ? [] : withoutCopyMarks(gist.text))),
    ],
    unread: read.filter((gist) => gist === undefined || gist.flags.length > 0).length,
  };
}

function sourceContents(criterion: Criterion, sample: Sample): readonly Content[] | "gists" {
  const source = criterion.evidence?.source ?? "deliverable";
  switch (source) {
    case "deliverable":
      return deliverables(criterion, sample);
    case "reference":
      return sample.reference === undefined ? [] : [sample.reference];
    case "output":
      return judged(sample);
    case "gist":
      return "gists";
    default:
      return source satisfies never;
  }
}

/** The named files; all of them where none is named, and the output where the sample has no files at all. */
function deliverables({ deliverable }: Criterion, sample: Sample): readonly Content[] {
  const files = sample.deliverables ?? [];
  if (deliverable === undefined)
    return files.length > 0 ? files.map(({ content }) => content) : judged(sample);
  return files.flatMap(({ name, content }) => (isNamed(name, deliverable.file) ? [content] : []));
}

const judged = (sample: Sample): readonly Content[] => [
  ...(sample.output === undefined ? [] : [sample.output]),
  ...(sample.messages ?? []).flatMap(({ role, content }) => (role === "assistant" ? [content] : [])),
  ...(sample.candidates ?? []).map(({ output }) => output),
];

/** True if the file's name is the wanted one, where `*` stands for any characters. */
export function isNamed(name: string, wanted: string): boolean {
  const pattern = wanted.normalize("NFC").split("*").map(RegExp.escape).join(".*");
  return new RegExp(`^${pattern}$`, "su").test(name.normalize("NFC"));
}
