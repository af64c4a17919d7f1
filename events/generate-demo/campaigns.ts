/** The campaigns that posters are made for, hand-written in material/campaigns.yaml. */
import { entry, items, material, type Node, text, texts } from "./material.ts";

export const colours = {
  绿色: "#1f7a4d",
  橙色: "#e07b1a",
  黑色: "#151515",
  蓝色: "#1d4fa3",
  粉色: "#e88bb0",
  红色: "#c4202b",
  紫色: "#6a3fa0",
  青色: "#1a9aa5",
  黄色: "#f2c230",
  棕色: "#7a4a21",
} as const;
export type Colour = keyof typeof colours;
export const colourNames = Object.keys(colours).filter((name): name is Colour => name in colours);

export interface Campaign {
  readonly id: string;
  readonly kind: string;
  /** How the client puts the wish. */
  readonly ask: string;
  readonly head: string;
  readonly badHead: string;
  readonly slogan: string;
  readonly items: readonly { readonly name: string; readonly price: string }[];
  /** A slip in the first item's price. */
  readonly badPrice: string;
  readonly date: string;
  readonly badDate: string;
  readonly place: string;
  readonly tel: string;
  readonly colour: Colour;
  readonly ban: readonly string[];
  /** A later date, and how the client asks for it in the chat. */
  readonly change: string;
  readonly words: string;
}

const readColour = (node: Node): Colour => {
  const name = text(node);
  const found = colourNames.find((candidate) => candidate === name);
  if (!found) throw new Error(`${node.at} must be one of ${colourNames.join("、")}`);
  return found;
};

export const loadCampaigns = (): Campaign[] =>
  items(material("campaigns")).map((node) => {
    const at = (key: string): string => text(entry(node, key));
    return {
      id: at("id"),
      kind: at("kind"),
      ask: at("ask"),
      head: at("head"),
      badHead: at("badHead"),
      slogan: at("slogan"),
      items: items(entry(node, "items")).map((item) => {
        const [name, price] = texts(item);
        if (!name || !price) throw new Error(`${item.at} must be a name and a price`);
        return { name, price };
      }),
      badPrice: at("badPrice"),
      date: at("date"),
      badDate: at("badDate"),
      place: at("place"),
      tel: at("tel"),
      colour: readColour(entry(node, "colour")),
      ban: texts(entry(node, "ban")),
      change: at("change"),
      words: at("words"),
    };
  });
