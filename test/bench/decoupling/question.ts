/** A question about one picture that is answered with yes or no; made-questions.ts and hallusion.ts give them. */

export interface PictureQuestion {
  readonly id: string;
  readonly category: string;
  /** Questions with the same figure look at the same picture; all of them right makes the figure right. */
  readonly figure: string;
  /** Questions of the same pair ask the same of different pictures, or the opposite of one; null where there is none. */
  readonly pair: string | null;
  readonly picture: Uint8Array;
  readonly text: string;
  readonly truth: boolean;
}
