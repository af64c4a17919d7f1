/** What goes right or wrong on a poster, how that shows, and the labels that follow; used by poster-brief.ts. */
import { type Campaign, type Colour, colourNames } from "./campaigns.ts";
import type { Dice } from "./random.ts";

export const flaws = [
  "none",
  "followed-chat",
  "wrong-price",
  "wrong-date",
  "wrong-word",
  "no-tel",
  "no-place",
  "no-date",
  "no-prices",
  "wrong-colour",
  "banned-words",
  "faint",
  "blurred",
  "ignored-chat",
  "vague-colour",
  "nearly-banned",
] as const;
export type Flaw = (typeof flaws)[number];

export const layouts = ["banner", "card", "side", "stamp"] as const;
export type Layout = (typeof layouts)[number];

/** Everything that the picture shows. */
export interface Poster {
  readonly layout: Layout;
  readonly colour: Colour;
  readonly head: string;
  readonly slogan: string;
  readonly prices: readonly string[];
  readonly details: readonly string[];
  readonly sticker: string;
  /** How prices and details come out. */
  readonly print: "clear" | "faint" | "blurred";
}
export interface Chat {
  readonly client: string;
  readonly lines: readonly { readonly side: "left" | "right" | "centre"; readonly text: string }[];
}
export interface PosterPlan {
  readonly campaign: Campaign;
  readonly flaw: Flaw;
  readonly poster: Poster;
  readonly chat: Chat | null;
  /** What the brief asks of the colour. */
  readonly wantedColour: string;
  readonly labels: Readonly<Record<"text_correct" | "brief_met" | "legible", string>>;
  readonly difficulty: "easy" | "hard" | "hopeless";
}

const marks = (text: string, brief: string, legible: string): PosterPlan["labels"] => ({
  text_correct: text,
  brief_met: brief,
  legible,
});

const outcomes: Readonly<Record<Flaw, Pick<PosterPlan, "labels" | "difficulty">>> = {
  none: { labels: marks("Y", "A", "Y"), difficulty: "easy" },
  "followed-chat": { labels: marks("Y", "A", "Y"), difficulty: "hard" },
  "wrong-price": { labels: marks("N", "C", "Y"), difficulty: "easy" },
  "wrong-date": { labels: marks("N", "C", "Y"), difficulty: "easy" },
  "wrong-word": { labels: marks("N", "B", "Y"), difficulty: "hard" },
  "no-tel": { labels: marks("Y", "B", "Y"), difficulty: "easy" },
  "no-place": { labels: marks("Y", "B", "Y"), difficulty: "easy" },
  "no-date": { labels: marks("Y", "C", "Y"), difficulty: "easy" },
  "no-prices": { labels: marks("Y", "C", "Y"), difficulty: "easy" },
  "wrong-colour": { labels: marks("Y", "B", "Y"), difficulty: "hard" },
  "banned-words": { labels: marks("Y", "C", "Y"), difficulty: "easy" },
  faint: { labels: marks("Y", "C", "N"), difficulty: "easy" },
  blurred: { labels: marks("Y", "C", "N"), difficulty: "easy" },
  "ignored-chat": { labels: marks("N", "C", "Y"), difficulty: "hard" },
  "vague-colour": { labels: marks("Y", "A", "Y"), difficulty: "hopeless" },
  "nearly-banned": { labels: marks("Y", "B", "Y"), difficulty: "hopeless" },
};

const chatOpenings = [
  "初稿看到了，挺好看的",
  "在吗，海报还能改吗",
  "辛苦啦，有个小改动",
  "老板娘说有一处要动",
] as const;
const chatReplies = ["好的，马上改", "收到，改完发您", "没问题，其他不动对吧"] as const;
const chatEndings = ["对，其他不变", "嗯嗯，谢谢", "就这一处，辛苦"] as const;

function chatOf(campaign: Campaign, roll: Dice): Chat {
  return {
    client: campaign.head.split(" ")[0] ?? campaign.head,
    lines: [
      { side: "centre", text: `昨天 ${18 + roll.below(4)}:${10 + roll.below(49)}` },
      { side: "left", text: roll.pick(chatOpenings) },
      { side: "right", text: "您说" },
      { side: "left", text: campaign.words },
      { side: "right", text: roll.pick(chatReplies) },
      { side: "left", text: roll.pick(chatEndings) },
    ],
  };
}

/** The poster that a designer with this flaw would hand in. */
export function planPoster(campaign: Campaign, flaw: Flaw, roll: Dice): PosterPlan {
  const hasChat = flaw === "followed-chat" || flaw === "ignored-chat";
  const date =
    flaw === "wrong-date" ? campaign.badDate : flaw === "followed-chat" ? campaign.change : campaign.date;
  const others = colourNames.filter((name) => name !== campaign.colour);
  const [first, ...rest] = campaign.items.map(
    ({ name, price }, index) =>
      `${name} ${flaw === "wrong-price" && index === 0 ? campaign.badPrice : price}元`,
  );
  const banned = campaign.ban[0] ?? "";
  return {
    campaign,
    flaw,
    poster: {
      layout: roll.pick(layouts),
      colour: flaw === "wrong-colour" ? roll.pick(others) : campaign.colour,
      head: flaw === "wrong-word" ? campaign.badHead : campaign.head,
      slogan: campaign.slogan,
      prices: flaw === "no-prices" || first === undefined ? [] : [first, ...rest],
      details: [
        ...(flaw === "no-date" ? [] : [`时间：${date}`]),
        ...(flaw === "no-place" ? [] : [`地点：${campaign.place}`]),
        ...(flaw === "no-tel" ? [] : [`电话：${campaign.tel}`]),
      ],
      sticker:
        flaw === "banned-words" ? banned : flaw === "nearly-banned" ? `“${[...banned].join("·")}”` : "",
      print: flaw === "faint" || flaw === "blurred" ? flaw : "clear",
    },
    chat: hasChat ? chatOf(campaign, roll) : null,
    wantedColour: flaw === "vague-colour" ? "高级一点，不要太俗" : campaign.colour,
    ...outcomes[flaw],
  };
}
