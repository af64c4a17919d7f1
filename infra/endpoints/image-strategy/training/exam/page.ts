/** What a page of the exam is made from and what it is: a size and HTML. */
import type { Chance, Words } from "./chance.ts";

export interface Page {
  readonly chance: Chance;
  readonly words: Words;
  /** A photo as a data URL. */
  photo(): string;
}

export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly body: string;
}

export type PageKind = (page: Page) => Drawn;
