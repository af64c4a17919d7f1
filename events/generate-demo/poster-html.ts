/** Draws a poster as a page of HTML; rendered by render-pictures.ts. */
import { colours } from "./campaigns.ts";
import type { Layout, Poster } from "./poster-plan.ts";

export interface Drawing {
  readonly html: string;
  readonly width: number;
  readonly height: number;
}

const sizes: Readonly<Record<Layout, { width: number; height: number }>> = {
  banner: { width: 540, height: 720 },
  card: { width: 540, height: 760 },
  side: { width: 760, height: 590 },
  stamp: { width: 600, height: 600 },
};

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (one) => escapes[one] ?? one);

const block = (name: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ""
    : `<div class="${name}">${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("")}</div>`;

/** Ink that people can read on the main colour. */
const inkOn = (poster: Poster): string =>
  poster.colour === "黄色" || poster.colour === "粉色" ? "#222" : "#fff";

const layoutCss = (poster: Poster): string => {
  const paint = colours[poster.colour];
  const ink = inkOn(poster);
  switch (poster.layout) {
    case "banner":
      return `body{background:${paint};color:${ink};padding:64px 40px;text-align:center}
        .prices{border-top:3px solid ${ink};border-bottom:3px solid ${ink};margin:44px 0;padding:20px 0}`;
    case "card":
      return `body{background:#fff;color:#222}
        .top{background:${paint};color:${ink};padding:60px 36px 52px;text-align:center}
        .rest{padding:26px 44px} .details{border-left:8px solid ${paint};padding-left:18px;margin-top:30px}
        body::after{content:"";position:absolute;left:0;right:0;bottom:0;height:90px;background:${paint}}`;
    case "side":
      return `body{background:#fff;color:#222;padding:40px 36px 40px 300px}
        body::before{content:"";position:absolute;left:0;top:0;bottom:0;width:260px;background:${paint}}
        body::after{content:"";position:absolute;left:50px;top:220px;width:150px;height:150px;border-radius:50%;
        border:14px solid ${ink};opacity:.85} h1{font-size:38px} .prices{margin:24px 0}`;
    case "stamp":
      return `body{background:${paint};color:${ink};padding:44px 48px}
        body::after{content:"";position:absolute;right:-60px;bottom:-60px;width:230px;height:230px;border-radius:50%;
        background:${ink};opacity:.25} .prices{margin:26px 0}`;
    default:
      return poster.layout satisfies never;
  }
};

/** Faint ink is a shade away from its paper; blurred print keeps only blots. */
const printCss = (poster: Poster): string => {
  const onPaper = poster.layout === "card" || poster.layout === "side";
  switch (poster.print) {
    case "clear":
      return "";
    case "faint":
      return `.prices p,.details p{color:${onPaper ? "#fafafa" : `color-mix(in srgb, ${colours[poster.colour]} 97%, ${inkOn(poster)})`}}`;
    case "blurred":
      return ".prices p,.details p{filter:blur(7px)}";
    default:
      return poster.print satisfies never;
  }
};

export function drawPoster(poster: Poster): Drawing {
  const top = `<h1>${poster.head.split(" ").map(escapeHtml).join("<br>")}</h1>${block("slogan", [poster.slogan])}`;
  const sticker = poster.sticker === "" ? "" : `<b class="sticker">${escapeHtml(poster.sticker)}</b>`;
  const rest = `${sticker}${block("prices", poster.prices)}${block("details", poster.details)}`;
  return {
    ...sizes[poster.layout],
    html: `<style>
      body{margin:0;height:100vh;box-sizing:border-box;position:relative;overflow:hidden;font-family:Poster,PosterLatin}
      h1{font-weight:700;font-size:46px;line-height:1.3;margin:0} p{margin:8px 0}
      .slogan p{font-size:25px} .prices p{font-size:32px;font-weight:700} .details p{font-size:23px}
      .sticker{display:inline-block;background:#fff7cc;color:#b00020;font-size:27px;padding:6px 16px;margin-top:22px}
      ${layoutCss(poster)} ${printCss(poster)}</style><div class="top">${top}</div><div class="rest">${rest}</div>`,
  };
}
