/** The review API: JSON in, JSON out, one error shape. */

import { describeIssue } from "@touchstone/core/domain/intake/read-row";
import { parseSampleKey } from "@touchstone/core/schema/identity";
import type { ReviewTask } from "@touchstone/core/schema/review";
import {
  claimBodySchema,
  leaseBodySchema,
  type ReviewErrorKind,
  verdictBodySchema,
} from "@touchstone/core/schema/review-api";
import type { Context, Hono } from "hono";
import { Hono as HonoApp } from "hono";
import {
  type Answer,
  claimReview,
  extendLease,
  giveVerdict,
  present,
  type ReviewPorts,
  releaseReview,
} from "./review.ts";

const statusOf = {
  "bad-request": 400,
  "bad-verdict": 422,
  "not-found": 404,
  "nothing-open": 404,
  "not-yours": 403,
  "lease-lost": 409,
  "already-decided": 409,
} as const satisfies Record<ReviewErrorKind, number>;

const listLimit = 100;

export const reviewRoutes = (ports: ReviewPorts, onError: (error: unknown) => void): Hono => {
  const app = new HonoApp();
  app.post("/v1/reviews/claim", (c) => withBody(c, claimBodySchema, (body) => claimReview(body, ports)));
  app.post("/v1/reviews/heartbeat", (c) => withBody(c, leaseBodySchema, (body) => extendLease(body, ports)));
  app.post("/v1/reviews/release", (c) => withBody(c, leaseBodySchema, (body) => releaseReview(body, ports)));
  app.post("/v1/reviews/verdict", (c) => withBody(c, verdictBodySchema, (body) => giveVerdict(body, ports)));
  app.get("/v1/reviews", async (c) => {
    const task = c.req.query("task");
    const tasks = await ports.reviews.claimable({
      now: ports.clock(),
      limit: listLimit,
      ...(task === undefined ? {} : { task }),
    });
    const list = tasks.map(({ id, kind, sampleId, task: name, priority, dueAt }) => ({
      id,
      kind,
      sampleId,
      task: name,
      priority,
      dueAt,
    }));
    return c.json({ reviews: list });
  });
  app.get("/v1/reviews/:id", async (c) => {
    const id = c.req.param("id");
    const isId = parseSampleKey(id.replace(/#(review|audit|adjudicate)$/, "")) !== null;
    const task = isId ? await ports.reviews.get(id) : null;
    return task
      ? c.json(await present(withoutLease(task), ports))
      : reply(c, { ok: false, kind: "not-found", message: "there is no such review task" });
  });
  app.notFound((c) => reply(c, { ok: false, kind: "not-found", message: "there is no such route" }));
  app.onError((error, c) => {
    onError(error);
    return c.json({ error: { kind: "internal", message: "something failed here; try again" } }, 500);
  });
  return app;
};

/** The token in a lease is its holder's alone: whoever has it may answer. */
const withoutLease = ({ lease: _lease, ...task }: ReviewTask): ReviewTask => task;

interface BodySchema<Body> {
  safeParse(
    value: unknown,
  ): { success: true; data: Body } | { success: false; error: Parameters<typeof describeIssue>[0] };
}

const withBody = async <Body, Value>(
  c: Context,
  schema: BodySchema<Body>,
  run: (body: Body) => Promise<Answer<Value>>,
): Promise<Response> => {
  let value: unknown;
  try {
    value = await c.req.json();
  } catch {
    return reply(c, { ok: false, kind: "bad-request", message: "the body is not JSON" });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const { field, message } = describeIssue(parsed.error);
    return reply(c, {
      ok: false,
      kind: "bad-request",
      message: field === "" ? message : `${field}: ${message}`,
    });
  }
  return reply(c, await run(parsed.data));
};

const reply = <Value>(c: Context, answer: Answer<Value>): Response =>
  answer.ok
    ? c.json(answer.value)
    : c.json({ error: { kind: answer.kind, message: answer.message } }, statusOf[answer.kind]);
