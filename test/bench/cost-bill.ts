/** Quantities times prices, summed by service: the arithmetic of `bench cost`. */
import { type BilledService, billedServices, type PriceName, prices } from "./prices.ts";

/** So much of something that has a price. */
export interface Usage {
  /** What it is for, so that a large line can be traced to its cause. */
  readonly what: string;
  readonly price: PriceName;
  readonly quantity: number;
}

export type Bill = { readonly total: number } & Partial<Readonly<Record<BilledService, number>>>;

export interface BillLine extends Usage {
  readonly usd: number;
}

export const usdOf = ({ price, quantity }: Usage): number =>
  (quantity / prices[price].units) * prices[price].usd;

/** Largest lines first. */
export const linesOf = (usages: readonly Usage[]): readonly BillLine[] =>
  usages
    .filter(({ quantity }) => quantity > 0)
    .map((usage) => ({ ...usage, usd: usdOf(usage) }))
    .sort((left, right) => right.usd - left.usd);

/** Services that cost nothing are left out. */
export const billOf = (usages: readonly Usage[]): Bill => {
  const sums = new Map<BilledService, number>();
  for (const usage of usages) {
    const { service } = prices[usage.price];
    sums.set(service, (sums.get(service) ?? 0) + usdOf(usage));
  }
  const bill: Partial<Record<BilledService, number>> = {};
  for (const service of billedServices) {
    const usd = sums.get(service) ?? 0;
    if (usd > 0) bill[service] = usd;
  }
  return { total: [...sums.values()].reduce((sum, usd) => sum + usd, 0), ...bill };
};
