/** Recognises chat screenshots and says on which side each message stands; called by the captioner's server. */
import type { Pixels } from "../image-strategy/decode-image.ts";
import { closeTo, commonColour, type Rgb, shareNearer, shareUnlike } from "./pixel-colours.ts";
import type { Box } from "./text-boxes.ts";
import type { TextLine } from "./text-reader.ts";

export const sides = ["left", "right", "centre"] as const;
export type Side = (typeof sides)[number];

/** Lines that belong together: one message of a chat, or one line of a page. */
export interface Message {
  readonly side: Side;
  /** The name above its bubble, as group chats show it. */
  readonly speaker: string | null;
  readonly lines: readonly TextLine[];
}

interface Bubble extends Box {
  readonly fill: Rgb;
}

interface Group {
  readonly lines: TextLine[];
  bubble: Bubble | null;
}

interface Placed extends Readonly<Group> {
  readonly side: Side;
}

/**
 * The messages of a chat in reading order, or null when the picture is not one: a chat has at least two filled bubbles
 * beside the left or right edge, holding most of the lines. Text outside bubbles (names, times) counts as centre.
 */
export function chatMessages(image: Pixels, lines: readonly TextLine[]): Message[] | null {
  const page = commonColour(image, edgeColumns(image));
  if (page === null) return null;
  const groups: Group[] = [];
  for (const line of lines) {
    const bubble = findBubble(image, line, page);
    const above = groups.at(-1);
    if (above?.bubble && bubble && isSameBubble(above.bubble, bubble, line.height)) {
      above.lines.push(line);
      above.bubble = joined(above.bubble, bubble);
    } else groups.push({ lines: [line], bubble });
  }
  const placed = groups.map(({ lines: own, bubble }) => {
    return { lines: own, bubble, side: bubble ? sideOf(image, bubble, page) : ("centre" as const) };
  });
  const messages = placed.flatMap((group, index): Message[] => {
    if (isSpeaker(group, placed[index + 1], image.width)) return [];
    const above = placed[index - 1];
    const speaker = isSpeaker(above, group, image.width) ? (above?.lines[0]?.text ?? null) : null;
    return [{ side: group.side, speaker, lines: group.lines }];
  });
  const beside = messages.filter((message) => message.side !== "centre");
  const linesBeside = beside.reduce((count, message) => count + message.lines.length, 0);
  const named = messages.filter(({ speaker }) => speaker !== null).length;
  return beside.length >= 2 && linesBeside + named >= 0.6 * lines.length ? messages : null;
}

/** Times stand above bubbles as well. */
const time =
  /\d{1,2}[:：]\d{2}|昨天|前天|星期|周[一二三四五六日]|yesterday|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;

/** A short line on the page, close above a bubble and flush with the side from which it is said. */
function isSpeaker(above: Placed | undefined, below: Placed | undefined, pageWidth: number): boolean {
  const [name, more] = above?.bubble ? [] : (above?.lines ?? []);
  const first = below?.lines[0];
  if (!below?.bubble || !name || more || !first || time.test(name.text)) return false;
  const { x, width } = below.bubble;
  const apart = below.side === "right" ? name.x + name.width - (x + width) : name.x - x;
  const gap = first.y - (name.y + name.height);
  const isSmall = name.height <= 1.1 * first.height && name.width < 0.4 * pageWidth;
  return (
    below.side !== "centre" &&
    isSmall &&
    Math.abs(apart) < 1.2 * first.height &&
    gap >= 0 &&
    gap < 1.8 * first.height
  );
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
