/** Recognises chat screenshots and says on which side each message stands; called by the captioner's server. */
import type { Pixels } from "../image-strategy/decode-image.ts";
import type { Box } from "../image-strategy/text-boxes.ts";
import { closeTo, commonColour, type Rgb, shareNearer, shareUnlike } from "./pixel-colours.ts";
import type { TextLine } from "./text-reader.ts";

export const sides = ["left", "right", "centre"] as const;
export type Side = (typeof sides)[number];

/** Lines that belong together: one message of a chat, or one line of a page. */
export interface Message {
  readonly side: Side;
  readonly lines: readonly TextLine[];
}

interface Bubble extends Box {
  readonly fill: Rgb;
}

/**
 * The messages of a chat in reading order, or null when the picture is not one: a chat has at least two filled bubbles
 * beside the left or right edge, holding most of the lines. Text outside bubbles (names, times) counts as centre.
 */
export function chatMessages(image: Pixels, lines: readonly TextLine[]): Message[] | null {
  const page = commonColour(image, edgeColumns(image));
  if (page === null) return null;
  const groups: { lines: TextLine[]; bubble: Bubble | null }[] = [];
  for (const line of lines) {
    const bubble = findBubble(image, line, page);
    const above = groups.at(-1);
    if (above?.bubble && bubble && isSameBubble(above.bubble, bubble, line.height)) {
      above.lines.push(line);
      above.bubble = joined(above.bubble, bubble);
    } else groups.push({ lines: [line], bubble });
  }
  const messages = groups.map(
    (group): Message => ({
      side: group.bubble ? sideOf(image, group.bubble, page) : "centre",
      lines: group.lines,
    }),
  );
  const beside = messages.filter((message) => message.side !== "centre");
  const linesBeside = beside.reduce((count, message) => count + message.lines.length, 0);
  return beside.length >= 2 && linesBeside >= 0.6 * lines.length ? messages : null;
}

/** The one-coloured field around a line, if it differs from the page; null for text that stands on the page. */
function findBubble(image: Pixels, line: Box, page: Rgb): Bubble | null {
  const fill = commonColour(image, padded(line, 0.3 * line.height));
  if (fill === null || closeTo(fill, page)) return null;
  const left = spread(image, line, -1, fill, page);
  const right = spread(image, line, 1, fill, page);
  if (left <= 1 && right >= image.width - 2) return null;
  return { x: left, y: line.y, width: right - left + 1, height: line.height, fill };
}

function isSameBubble(above: Bubble, below: Bubble, lineHeight: number): boolean {
  return (
    closeTo(above.fill, below.fill) &&
    Math.abs(above.x - below.x) < 0.5 * lineHeight &&
    below.y - (above.y + above.height) < 0.8 * lineHeight
  );
}

function joined(above: Bubble, below: Bubble): Bubble {
  const x = Math.min(above.x, below.x);
  const right = Math.max(above.x + above.width, below.x + below.width);
  return { x, y: above.y, width: right - x, height: below.y + below.height - above.y, fill: above.fill };
}

/** An avatar beside the bubble settles it; otherwise the nearer edge does. */
function sideOf(image: Pixels, bubble: Box, page: Rgb): Side {
  const right = bubble.x + bubble.width;
  const margin = 3;
  const inkLeft = shareUnlike(image, { ...bubble, x: 0, width: bubble.x - margin }, page);
  const inkRight = shareUnlike(
    image,
    { ...bubble, x: right + margin, width: image.width - right - margin },
    page,
  );
  if (Math.max(inkLeft, inkRight) > 0.1) {
    if (inkLeft > 3 * inkRight) return "left";
    if (inkRight > 3 * inkLeft) return "right";
  }
  const gapLeft = bubble.x;
  const gapRight = image.width - right;
  if (gapLeft < 0.75 * gapRight) return "left";
  if (gapRight < 0.75 * gapLeft) return "right";
  return "centre";
}

/** The last column in one direction that is more fill than page; letters may take a column or two. */
function spread(image: Pixels, line: Box, step: 1 | -1, fill: Rgb, page: Rgb): number {
  const patience = 2;
  let reached = Math.round(step < 0 ? line.x : line.x + line.width - 1);
  for (let at = reached, missed = 0; at >= 0 && at < image.width && missed <= patience; at += step) {
    if (shareNearer(image, { x: at, y: line.y, width: 1, height: line.height }, fill, page) > 0.5) {
      reached = at;
      missed = 0;
    } else missed++;
  }
  return reached;
}

function padded(box: Box, by: number): Box {
  return { x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by };
}

function edgeColumns(image: Pixels): Box {
  return { x: 0, y: 0, width: Math.max(1, Math.round(image.width * 0.015)), height: image.height };
}
