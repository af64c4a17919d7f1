/** What was seen in many pictures, as one web page that needs nothing else and runs nothing: picture left, words right. */
import { type Strategy, strategies } from "@touchstone/core/schema/gist";
import type { Report } from "../report.ts";
import type { SeenFile } from "../see-files.ts";
import { resultWords } from "../words/result-words.ts";
import { seeWords } from "../words/see-words.ts";
import { percent } from "./figures.ts";
import { printable } from "./printable.ts";
import { doneText, flagsText } from "./seen-text.ts";

type Language = Report["language"];

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --bar: #2f7fd6; --warn: #b45309; --bad: #c2362b }
body { margin: 0 auto; max-width: 84rem; padding: 1.5rem; font: 15px/1.55 system-ui, "Noto Sans SC", sans-serif }
h1 { font-size: 1.35rem; margin: 0 0 .25rem } h2 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere }
.models { white-space: pre-line; opacity: .75; margin: 0 0 1rem }
article { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 1.5rem; padding: 1.25rem 0; border-top: 1px solid var(--line) }
figure { margin: 0; display: grid; gap: .5rem; align-content: start; max-height: 90vh; overflow: auto }
img { max-width: 100%; max-height: 80vh; border: 1px solid var(--line); background: repeating-conic-gradient(#8883 0 25%, transparent 0 50%) 0 0/16px 16px }
figcaption { font-size: .8rem; opacity: .7 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 0 0 .75rem } dt { opacity: .7 } dd { margin: 0 }
.share { display: grid; grid-template-columns: 6.5em 1fr 3.5em; gap: .6rem; align-items: center; font-size: .9rem }
.share i { display: block; height: .6rem; background: var(--bar); min-width: 1px } .share b { font-weight: normal; text-align: right }
.share .chosen { font-weight: 600 } .rail { background: var(--soft) }
pre { margin: 0; padding: .75rem; background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
.flag { color: var(--warn); font-weight: 600 } .bad { color: var(--bad); font-weight: 600 }
@media (max-width: 50rem) { article { grid-template-columns: 1fr } }`;

/** `summary` and `models` stand at the top. */
export const seenPage = (
  files: readonly SeenFile[],
  { language, summary, models }: { language: Language; summary: string; models: string },
): string => `<!doctype html>
<html lang="${language === "zh" ? "zh-CN" : "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escaped(seeWords[language].title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(seeWords[language].title)}</h1>
<p>${escaped(summary)}</p>
<p class="models">${escaped(models)}</p>
${files.map((file) => article(file, language)).join("\n")}
</body>
</html>
`;

const article = (file: SeenFile, language: Language): string => {
  const { seen } = file;
  const words = seeWords[language];
  switch (seen.kind) {
    case "problem":
    case "failed": {
      const isProblem = seen.kind === "problem";
      const message = isProblem ? seen.problem.message : seen.message;
      const title = isProblem ? words.problem : words.failed;
      return `<article><figure></figure><div><h2>${escaped(file.file)}</h2><p><span class="bad">${escaped(title)}</span> ${escaped(message)}</p></div></article>`;
    }
    case "gist": {
      const { gist, choice } = seen;
      const flags = escaped(flagsText(gist.flags, language));
      const text = gist.text === "" ? words.emptyGist : gist.text;
      return `<article>
<figure>${seen.shown.map((piece, at) => picture(piece, file.file, at, seen.shown.length)).join("")}</figure>
<div>
<h2>${escaped(file.file)}</h2>
<dl>
<dt>${escaped(words.done)}</dt><dd>${escaped(doneText(seen, file.bytes, language))}</dd>
<dt>${escaped(words.strategy)}</dt><dd>${strategies.map((name) => share(name, choice.probabilities[name], gist.strategy, language)).join("")}${gist.unsure ? `<span class="flag">${escaped(words.unsure)}</span>` : ""}</dd>
<dt>${escaped(words.flags)}</dt><dd>${gist.flags.length === 0 ? flags : `<span class="flag">${flags}</span>`}</dd>
<dt>${escaped(words.gist)}</dt><dd>${escaped(words.tokens(gist.tokens, (file.ms / 1000).toFixed(1)))}</dd>
</dl>
<pre>${escaped(text)}</pre>
</div>
</article>`;
    }
    default:
      return seen satisfies never;
  }
};

const picture = (
  { mediaType, bytes }: { readonly mediaType: string; readonly bytes: Uint8Array },
  file: string,
  at: number,
  of: number,
): string => {
  const data = Buffer.from(bytes).toString("base64");
  const caption = of > 1 ? `<figcaption>${at + 1}/${of}</figcaption>` : "";
  return `<img alt="${escaped(file)}" src="data:${escaped(mediaType)};base64,${data}">${caption}`;
};

const share = (name: Strategy, probability: number, chosen: Strategy, language: Language): string => {
  const width = (Math.min(1, Math.max(0, probability)) * 100).toFixed(1);
  const mark = name === chosen ? ' class="chosen"' : "";
  return `<div class="share"><span${mark}>${escaped(resultWords[language].strategies[name])}</span><span class="rail"><i style="width:${width}%"></i></span><b>${percent(probability)}</b></div>`;
};

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Names of files, answers of models and words in pictures are somebody else's text. */
const escaped = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
