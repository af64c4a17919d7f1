/** Reads a judging prompt as text, the way any model would have to: sections, fields, examples, sample. */

/** A sample as the prompt shows it. */
export interface ShownSample {
  readonly input: string;
  readonly reference: string;
  readonly output: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly candidates: readonly { readonly letter: string; readonly text: string }[];
  /** Deliverables and test outcomes. */
  readonly attached: string;
  /** The deliverables one by one. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Descriptions of its pictures, in order. */
  readonly gists: readonly string[];
}

export interface ShownLabel {
  readonly code: string;
  readonly name: string;
  readonly description: string;
}

export const askedKinds = ["label", "labels", "ordinal", "text", "list"] as const;
export interface AskedField {
  readonly id: string;
  readonly kind: (typeof askedKinds)[number];
  readonly title: string;
  readonly optional: boolean;
  readonly labels: readonly ShownLabel[];
}

/** One line of the rubric. */
export interface AskedCriterion {
  readonly id: string;
  readonly codes: readonly string[];
  /** The file it looks in; null where none is named. */
  readonly file: string | null;
  readonly text: string;
  readonly isFault: boolean;
}

export interface ShownExample {
  readonly sample: ShownSample;
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface ShownPrompt {
  readonly language: "zh" | "en";
  readonly standard: string;
  readonly fields: readonly AskedField[];
  readonly criteria: readonly AskedCriterion[];
  readonly examples: readonly ShownExample[];
  readonly sample: ShownSample;
}

/** How each kind of field is called in either language, longest first where one starts another. */
const kindWords: Readonly<Record<string, AskedField["kind"]>> = {
  单选: "label",
  多选: "labels",
  等级: "ordinal",
  文本: "text",
  列表: "list",
  "one label": "label",
  "any number of labels": "labels",
  "one grade": "ordinal",
  text: "text",
  list: "list",
};

/** The prompt in its two turns; null where it is not one that this judge can read. */
export function readPrompt(system: string, user: string): ShownPrompt | null {
  const standard = tagged(system, "standard");
  const fields = readFields(tagged(system, "fields") ?? "");
  const criteria = readCriteria(tagged(system, "rubric") ?? "");
  const mark = /^\S+?[:：]\s*([A-Za-z0-9]{8,64})\s*$/m.exec(user.slice(0, 200))?.[1];
  const asksNothing = fields.length + criteria.length === 0;
  if (standard === null || asksNothing || mark === undefined) return null;
  const top = fences(user, mark);
  const sample = top.find(({ name }) => name === "sample");
  if (!sample) return null;
  return {
    language: /\p{Script=Han}/u.test(system.slice(0, 40)) ? "zh" : "en",
    standard,
    fields,
    criteria,
    examples: top
      .filter(({ name }) => name.startsWith("example "))
      .flatMap(({ body }) => readExample(body, mark) ?? []),
    sample: readSample(fences(sample.body, mark), mark),
  };
}

function tagged(text: string, tag: string): string | null {
  const open = new RegExp(`<${tag}>[^\\n]*\\n`).exec(text);
  const end = text.lastIndexOf(`\n</${tag}>`);
  if (!open || end < open.index) return null;
  return text.slice(open.index + open[0].length, end);
}

function readFields(text: string): AskedField[] {
  const fields: (AskedField & { labels: ShownLabel[] })[] = [];
  for (const line of text.split("\n")) {
    const head = /^\d+\. "([a-z0-9_]+)" \(([^)]*)\) (.*)$/.exec(line);
    if (head) {
      const [, id = "", words = "", title = ""] = head;
      const word = Object.keys(kindWords).find((candidate) => words.startsWith(candidate));
      const kind = (word === undefined ? undefined : kindWords[word]) ?? "text";
      fields.push({ id, kind, title, optional: /null/.test(words), labels: [] });
      continue;
    }
    const label = /^ {3}- "([A-Za-z0-9]+)" ([^:]*)(?:: (.*))?$/.exec(line);
    const [, code = "", name = "", description = ""] = label ?? [];
    if (label) fields.at(-1)?.labels.push({ code, name, description });
  }
  return fields;
}

function readCriteria(text: string): AskedCriterion[] {
  return text.split("\n").flatMap((line) => {
    const match = /^- "([a-z0-9_]+)" \[([A-Z|]+)\] \((.*?)\) (.*)$/.exec(line);
    if (!match) return [];
    const [, id = "", codes = "", note = "", stated = ""] = match;
    const isFault = !/^(?:加分项|earns points)/.test(note);
    const file = /(?:看|look in) (.+?)(?: 的 |, |；|; |$)/.exec(note)?.[1] ?? null;
    return [{ id, codes: codes.split("|"), file, text: stated, isFault }];
  });
}

interface Fenced {
  readonly name: string;
  readonly body: string;
}

/** The outermost fences of a text, in order. */
function fences(text: string, mark: string): Fenced[] {
  const found: Fenced[] = [];
  const open = new RegExp(`<<${mark} ([\\w ]+)>>\\n?`, "g");
  for (let match = open.exec(text); match; match = open.exec(text)) {
    const name = match[1] ?? "";
    const close = `<</${mark} ${name}>>`;
    const end = text.indexOf(close, open.lastIndex);
    if (end < 0) continue;
    found.push({ name, body: text.slice(open.lastIndex, end).replace(/\n$/, "") });
    open.lastIndex = end + close.length;
  }
  return found;
}

function readExample(body: string, mark: string): ShownExample | null {
  const inner = fences(body, mark);
  const labels = inner.find(({ name }) => name === "labels");
  if (!labels) return null;
  try {
    const answers: unknown = JSON.parse(labels.body);
    if (typeof answers !== "object" || answers === null) return null;
    return { sample: readSample(inner, mark), answers: { ...answers } };
  } catch {
    // A cut or damaged example teaches nothing; the others still do.
    return null;
  }
}

/** A description that stands in the text itself, as examples may have it in place of their picture. */
const describedPicture =
  /(?:^|\n)\s*[[［](?:图片|image) [^\]］\n]+[\]］] ?(?:梗概|description)[:：]\n([\s\S]*?)(?=\n\s*[[［](?:图片|image) |$)/g;

function readSample(slots: readonly Fenced[], mark: string): ShownSample {
  const gists: string[] = [];
  const plain = (body: string): string => {
    for (const gist of fences(body, mark)) gists.push(gist.body);
    const text = body
      .replace(new RegExp(`<<${mark} ([\\w ]+)>>[\\s\\S]*?<</${mark} \\1>>\\n?`, "g"), "")
      .replace(/\n?\[(?:(?:image|video) \d+: |(?:图|视频)\d+：)[^\n]*\]\n/g, "\n");
    for (const described of text.matchAll(describedPicture)) gists.push(described[1] ?? "");
    return text.replace(describedPicture, "").trim();
  };
  const named = (start: string) => slots.filter(({ name }) => name === start || name.startsWith(`${start} `));
  const joined = (start: string): string =>
    named(start)
      .map(({ body }) => plain(body))
      .join("\n");
  return {
    input: joined("input"),
    reference: joined("reference"),
    output: joined("output"),
    messages: named("message").map(({ name, body }) => ({
      role: name.split(" ")[2] ?? "",
      text: plain(body),
    })),
    candidates: named("candidate").map(({ name, body }) => ({
      letter: name.split(" ")[1] ?? "",
      text: plain(body),
    })),
    files: named("deliverable").map(({ body }) => {
      // What is said of a file's pictures belongs to the file.
      const whole = body.replace(new RegExp(`<</?${mark} [\\w ]+>>\\n?`, "g"), "").trim();
      const [name = "", ...lines] = whole.split("\n");
      return { name: name.trim(), text: lines.join("\n").trim() };
    }),
    attached: [joined("deliverable"), joined("executions")].filter((text) => text !== "").join("\n"),
    gists,
  };
}
