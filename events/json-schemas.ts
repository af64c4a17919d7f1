/** The JSON Schemas that we publish, by file name; generate-schema.ts writes them. */
import { queueNames, queueSchemas } from "@touchstone/core/pipeline";
import { gistSchema, strategyChoiceSchema } from "@touchstone/core/schema/gist";
import { batchRecordSchema, splitRecordSchema } from "@touchstone/core/schema/ledger";
import { probeRecordSchema } from "@touchstone/core/schema/probe";
import { resultSchema } from "@touchstone/core/schema/result";
import { reviewTaskSchema, verdictSchema } from "@touchstone/core/schema/review";
import {
  claimBodySchema,
  claimedReviewSchema,
  leaseBodySchema,
  reviewErrorSchema,
  verdictBodySchema,
} from "@touchstone/core/schema/review-api";
import { sampleSchema } from "@touchstone/core/schema/sample";
import { resultTalliesSchema } from "@touchstone/core/schema/tallies";
import { templateSchema } from "@touchstone/core/schema/template";
import { familyTrustSchema } from "@touchstone/core/schema/trust";
import { watchSchema } from "@touchstone/core/schema/watch";
import * as z from "zod";

interface Published {
  readonly title: string;
  readonly schema: z.ZodType;
  /** `input`: people write it, and may leave out what has a default. */
  readonly io: "input" | "output";
}

const messages = queueNames.map((queue): readonly [string, Published] => [
  `message-${queue}`,
  { title: `Message on the ${queue} queue`, schema: queueSchemas[queue], io: "output" },
]);

const published = new Map<string, Published>([
  ["sample", { title: "One line of a batch file", schema: sampleSchema, io: "input" }],
  ["template", { title: "A task's template", schema: templateSchema, io: "input" }],
  ...messages,
  ["result", { title: "Result of a sample", schema: resultSchema, io: "output" }],
  ["review-task", { title: "Review task", schema: reviewTaskSchema, io: "output" }],
  ["verdict", { title: "A person's verdict", schema: verdictSchema, io: "output" }],
  ["review-api-claim", { title: "Body of POST /v1/reviews/claim", schema: claimBodySchema, io: "input" }],
  [
    "review-api-lease",
    { title: "Body of POST /v1/reviews/heartbeat and /release", schema: leaseBodySchema, io: "input" },
  ],
  [
    "review-api-verdict",
    { title: "Body of POST /v1/reviews/verdict", schema: verdictBodySchema, io: "input" },
  ],
  ["review-api-claimed", { title: "A claimed review task", schema: claimedReviewSchema, io: "output" }],
  ["review-api-error", { title: "Error of the review API", schema: reviewErrorSchema, io: "output" }],
  ["record-batch", { title: "Ledger row of a batch", schema: batchRecordSchema, io: "output" }],
  ["record-split", { title: "Ledger row of a split", schema: splitRecordSchema, io: "output" }],
  ["record-gist", { title: "Cached gist of a picture", schema: gistSchema, io: "output" }],
  [
    "strategy-choice",
    { title: "Answer of the image strategy endpoint", schema: strategyChoiceSchema, io: "output" },
  ],
  [
    "judge-probe",
    { title: "What a probe found out about a judge's server", schema: probeRecordSchema, io: "output" },
  ],
  [
    "record-trust",
    {
      title: "How far a task family is trusted: its calibration and its certificates",
      schema: familyTrustSchema,
      io: "output",
    },
  ],
  ["record-watch", { title: "The watch over a certified task", schema: watchSchema, io: "output" }],
  [
    "result-tallies",
    { title: "What a split adds to its batch's summary", schema: resultTalliesSchema, io: "output" },
  ],
]);

/** File name → text, in a fixed order. */
export const jsonSchemas = (): ReadonlyMap<string, string> =>
  new Map(
    [...published].map(([name, one]) => [
      `${name}.schema.json`,
      `${JSON.stringify(toJsonSchema(one), null, 2)}\n`,
    ]),
  );

const toJsonSchema = ({ title, schema, io }: Published): object => {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const { type } = zodSchema._zod.def;
      // DynamoDB's own types, which JSON lacks: number sets and binaries.
      if (type === "set")
        Object.assign(jsonSchema, { type: "array", uniqueItems: true, items: { type: "integer" } });
      if (type === "custom") Object.assign(jsonSchema, { type: "string", contentEncoding: "base64" });
    },
  });
  return { $schema, title, ...rest };
};
