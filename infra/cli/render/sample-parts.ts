/** A sample as a person reads it: every part in its place, and under each picture what it shows. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import { type Content, type ContentPart, contentParts } from "@touchstone/core/schema/content";
import type { PlacedGist } from "@touchstone/core/schema/gist";
import { mediaRefs, type Sample } from "@touchstone/core/schema/sample";
import { reviewWords } from "../words/review-words.ts";
import { indented, printable, printableLine } from "./printable.ts";

export interface SampleSection {
  readonly title: string;
  readonly text: string;
}

export const sampleSections = (
  sample: Sample,
  gists: readonly PlacedGist[],
  language: Language,
): readonly SampleSection[] => {
  const { parts, roles } = reviewWords[language];
  const shown = { gists, refs: mediaRefs(sample) };
  const section = (title: string, content: Content | undefined): readonly SampleSection[] =>
    content === undefined ? [] : [{ title, text: renderContent(content, shown, language) }];
  const meta = Object.entries(sample.meta ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  const executions = (sample.executions ?? []).map(({ name, outcome }) => `${outcome}  ${name}`);
  return [
    ...section(parts.input, sample.input),
    ...(sample.messages ?? []).flatMap(({ role, name, content }) =>
      section(name === undefined ? roles[role] : `${roles[role]} ${printableLine(name)}`, content),
    ),
    ...section(parts.output, sample.output),
    ...(sample.candidates ?? []).flatMap(({ id, output }) =>
      section(parts.candidate(printableLine(id)), output),
    ),
    ...section(parts.reference, sample.reference),
    ...(sample.deliverables ?? []).flatMap(({ name, content }) =>
      section(parts.deliverable(printableLine(name)), content),
    ),
    ...section(parts.executions, executions.length === 0 ? undefined : executions.join("\n")),
    ...section(parts.meta, meta.length === 0 ? undefined : meta.join(", ")),
  ];
};

interface Shown {
  readonly gists: readonly PlacedGist[];
  /** In the order in which the prompt numbers them. */
  readonly refs: readonly string[];
}

const renderContent = (content: Content, shown: Shown, language: Language): string =>
  contentParts(content)
    .map((part) => renderPart(part, shown, language))
    .join("\n");

const renderPart = (part: ContentPart, { gists, refs }: Shown, language: Language): string => {
  const { parts } = reviewWords[language];
  switch (part.type) {
    case "text":
      return printable(part.text);
    case "video":
      return parts.video(refs.indexOf(part.ref) + 1, printableLine(part.ref));
    case "image": {
      const shows = gists.find(({ ref }) => ref === part.ref)?.gist.text;
      const name = parts.picture(refs.indexOf(part.ref) + 1, printableLine(part.ref));
      return shows === undefined ? name : `${name}\n${indented(printable(shows), 2)}`;
    }
    default:
      return part satisfies never;
  }
};
