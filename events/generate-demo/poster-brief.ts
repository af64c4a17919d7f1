/** Makes the poster samples: briefs, pictures to draw, and labelled samples whose pictures are told in words. */
import type { ContentPart } from "@touchstone/core/schema/content";
import type { Sample } from "@touchstone/core/schema/sample";
import { loadCampaigns } from "./campaigns.ts";
import { drawChat } from "./chat-html.ts";
import type { DemoSamples } from "./demo-samples.ts";
import { entry, material, text, texts } from "./material.ts";
import { type Drawing, drawPoster } from "./poster-html.ts";
import { type Flaw, flaws, type PosterPlan, planPoster } from "./poster-plan.ts";
import { type Dice, dice } from "./random.ts";

const counts: Readonly<Record<Flaw, { readonly examples: number; readonly fresh: number }>> = {
  none: { examples: 16, fresh: 6 },
  "followed-chat": { examples: 3, fresh: 1 },
  "wrong-price": { examples: 12, fresh: 2 },
  "wrong-date": { examples: 9, fresh: 1 },
  "wrong-word": { examples: 4, fresh: 1 },
  "no-tel": { examples: 3, fresh: 1 },
  "no-place": { examples: 2, fresh: 0 },
  "no-date": { examples: 2, fresh: 1 },
  "no-prices": { examples: 2, fresh: 1 },
  "wrong-colour": { examples: 3, fresh: 1 },
  "banned-words": { examples: 4, fresh: 1 },
  faint: { examples: 7, fresh: 1 },
  blurred: { examples: 6, fresh: 1 },
  "ignored-chat": { examples: 3, fresh: 1 },
  "vague-colour": { examples: 1, fresh: 1 },
  "nearly-banned": { examples: 1, fresh: 1 },
};

/** A picture to draw, and the name by which its sample refers to it. */
export interface Picture {
  readonly name: string;
  readonly style: "mixed" | "text";
  readonly drawing: Drawing;
}
interface Planned {
  readonly id: string;
  readonly plan: PosterPlan;
  readonly delivery: string;
  readonly chatNote: string;
}

/** One name as people really give them, to be carried through keys and events. */
const unruly = "海报 终稿100%+v2.jpg";
const posterName = (id: string): string => (id === "pst-004" ? unruly : `${id}.jpg`);
const chatName = (id: string): string => `${id}-chat.jpg`;

function planAll(set: "examples" | "fresh", prefix: string, seed: number): Planned[] {
  const roll: Dice = dice(seed);
  const drawn = roll.shuffle(flaws.flatMap((flaw) => Array.from({ length: counts[flaw][set] }, () => flaw)));
  const campaigns = loadCampaigns();
  const order = [...roll.shuffle(campaigns), ...roll.shuffle(campaigns), ...roll.shuffle(campaigns)];
  const phrases = material("poster-phrases");
  return drawn.map((flaw, index) => {
    const campaign = order[index];
    if (!campaign) throw new Error(`${drawn.length} posters need more than ${order.length} campaigns`);
    return {
      id: `${prefix}-${String(index + 1).padStart(3, "0")}`,
      plan: planPoster(campaign, flaw, roll),
      delivery: roll.pick(texts(entry(phrases, "deliveries"))),
      chatNote: roll.pick(texts(entry(phrases, "chatNotes"))),
    };
  });
}

function briefOf({ campaign, chat, wantedColour }: PosterPlan): string {
  const prices = campaign.items.map(({ name, price }) => `「${name} ${price}元」`).join("");
  return [
    `需求：${campaign.ask}`,
    "必须写明：",
    `1. 主标题「${campaign.head}」`,
    `2. 副标题「${campaign.slogan}」`,
    `3. 价格${prices}`,
    `4. 时间「${campaign.date}」`,
    `5. 地点「${campaign.place}」`,
    `6. 电话「${campaign.tel}」`,
    `主色：${wantedColour}`,
    `不得出现：${campaign.ban.map((words) => `「${words}」`).join("")}`,
    ...(chat ? ["时间如果在聊天里改过，以客户最后说的为准。"] : []),
  ].join("\n");
}

function sampleOf(planned: Planned, picture: (name: string) => ContentPart): Sample {
  const { id, plan, delivery, chatNote } = planned;
  return {
    id,
    input: briefOf(plan),
    output: [
      { type: "text", text: delivery },
      picture(posterName(id)),
      ...(plan.chat ? [{ type: "text" as const, text: chatNote }, picture(chatName(id))] : []),
    ],
    labels: plan.labels,
    meta: { family: plan.campaign.kind, difficulty: plan.difficulty, pictures: plan.chat ? 2 : 1 },
  };
}

const examplePlans = (): Planned[] => planAll("examples", "pst-ex", 31);
const freshPlans = (): Planned[] => planAll("fresh", "pst", 32);

const picturesOf = (planned: readonly Planned[]): Picture[] =>
  planned.flatMap(({ id, plan }) => [
    { name: posterName(id), style: "mixed" as const, drawing: drawPoster(plan.poster) },
    ...(plan.chat ? [{ name: chatName(id), style: "text" as const, drawing: drawChat(plan.chat) }] : []),
  ]);
/** Pictures of the fresh batch, to be committed, and of the labelled set, to be told in words. */
export const freshPictures = (): Picture[] => picturesOf(freshPlans());
export const examplePictures = (): Picture[] => picturesOf(examplePlans());

/** Captions of the labelled set's pictures are kept in material/poster-captions.yaml; see events/README.md. */
export function posterSamples(): DemoSamples {
  const captions = material("poster-captions");
  return {
    fresh: freshPlans().map((planned) =>
      sampleOf(planned, (name) => ({ type: "image", ref: `media/${name}` })),
    ),
    examples: examplePlans().map((planned) =>
      sampleOf(planned, (name) => ({
        type: "text",
        text: `[图片 ${name}] 梗概：\n${text(entry(captions, name))}`,
      })),
    ),
  };
}
