/** The one table of who may touch what. Grants and environments follow from it; functions/README.md explains it. */
import type { HopName } from "@touchstone/core/pipeline";

export const tableNames = ["ledger", "samples", "reviews", "tasks", "gists"] as const;
export type TableName = (typeof tableNames)[number];

export const modelNames = ["strategy", "captioner", "judge"] as const;
export type ModelName = (typeof modelNames)[number];

/** `read`: single items and their partition; `write`: that, and single-item writes; `write-together`: several in a call. */
export type TableRight = "read" | "write" | "write-together";

export interface Access {
  /** Key prefixes. */
  readonly uploads: { readonly read: readonly string[] };
  /** What it reads there is named by references that it was sent; only who writes needs to know the bucket. */
  readonly results: { readonly read: readonly string[]; readonly write: readonly string[] };
  readonly tables: Partial<Readonly<Record<TableName, TableRight>>>;
  /** Tables whose index it queries. */
  readonly indexes: readonly TableName[];
  readonly models: readonly ModelName[];
  /** Fetches pictures by URL. */
  readonly fetches: boolean;
}

const nothing = {
  uploads: { read: [] },
  results: { read: [], write: [] },
  tables: {},
  indexes: [],
  models: [],
  fetches: false,
} as const satisfies Access;

/** Where a hop sends is not here: the core's hop table says it. */
export const access: Readonly<Record<HopName, Access>> = {
  intake: {
    ...nothing,
    uploads: { read: ["inbox/", "templates/"] },
    results: { read: [], write: ["staging/"] },
    tables: { ledger: "write" },
  },
  describe: {
    ...nothing,
    uploads: { read: ["inbox/", "templates/"] },
    results: { read: ["staging/"], write: ["staging/"] },
    tables: { gists: "write", tasks: "write" },
    models: ["strategy", "captioner"],
    fetches: true,
  },
  score: {
    ...nothing,
    uploads: { read: ["inbox/", "templates/"] },
    results: { read: ["staging/"], write: ["staging/"] },
    tables: { samples: "write-together", tasks: "write" },
    models: ["judge"],
  },
  settle: {
    ...nothing,
    results: { read: ["results/"], write: ["results/"] },
    tables: { ledger: "write", samples: "write", reviews: "write" },
  },
  review: {
    ...nothing,
    uploads: { read: ["templates/"] },
    results: { read: ["staging/"], write: [] },
    tables: { reviews: "write" },
    indexes: ["reviews"],
  },
  learn: {
    ...nothing,
    uploads: { read: ["templates/"] },
    tables: { samples: "read", reviews: "write", tasks: "write" },
  },
  sweep: {
    ...nothing,
    uploads: { read: ["inbox/", "templates/"] },
    results: { read: [], write: ["staging/"] },
    tables: { ledger: "write", samples: "read", reviews: "read", tasks: "read" },
    indexes: ["ledger", "reviews"],
  },
};
