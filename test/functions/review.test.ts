/** REVIEW over its HTTP routes: claims, leases, verdicts, and what a stranger may not see. */
import { permanent, transient } from "@touchstone/core/errors";
import { claimedReviewSchema, reviewErrorSchema } from "@touchstone/core/schema/review-api";
import { describe, expect, test } from "vitest";
import type { ReviewPorts } from "../../functions/review/review.ts";
import { reviewRoutes } from "../../functions/review/routes.ts";
import {
  jsonl,
  mixedLines,
  mixedStrategy,
  plainCaptioner,
  readingJudge,
  talkTemplate,
  upload,
} from "./fixtures.ts";
import { createWorld } from "./world.ts";

/** A batch that waits for people: "unsure", "garbage" and "elsewhere", and perhaps audits. */
const start = async (
  override: (ports: ReviewPorts) => Partial<ReviewPorts> = () => ({}),
  decision: object = { auditRate: 0 },
) => {
  const world = createWorld({
    judge: readingJudge(),
    captioner: plainCaptioner(),
    strategy: mixedStrategy(),
  });
  world.stores.templates.put(talkTemplate({ decision }));
  await upload(world, "inbox/talk/day+1/a%23b.jsonl", jsonl(mixedLines));
  await world.drain();
  const errors: unknown[] = [];
  const ports = world.reviewPorts();
  const app = reviewRoutes({ ...ports, ...override(ports) }, (error) => errors.push(error));
  const post = async (path: string, body: unknown) => {
    const answer = await app.request(`/v1/reviews/${path}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const json: unknown = await answer.json();
    return { status: answer.status, json };
  };
  const get = async (path: string) => {
    const answer = await app.request(`/v1/reviews${path}`);
    const json: unknown = await answer.json();
    return { status: answer.status, json };
  };
  const claim = async (body: object = { reviewer: "李雷" }) => {
    const { task, fields, standard } = claimedReviewSchema.parse((await post("claim", body)).json);
    return { task, fields, standard, token: task.lease?.token ?? "" };
  };
  return { world, post, get, claim, errors };
};
const kindOf = ({ status, json }: { status: number; json: unknown }) =>
  `${status} ${reviewErrorSchema.parse(json).error.kind}`;
const minutes = (count: number): number => count * 60_000;

describe("claim", () => {
  test("gives the most doubtful first, with all a person needs", async () => {
    const { claim } = await start();
    const { task } = await claim();
    expect(task).toMatchObject({ state: "claimed", kind: "review", lease: { reviewer: "李雷" } });
    expect(task.payload).toMatchObject({ sample: { output: expect.any(String) } });
    const rest = [await claim(), await claim()];
    const priorities = [task, ...rest.map((one) => one.task)].map(({ priority }) => priority);
    const unsure = rest.find((one) => one.task.sampleId === "unsure");
    expect([unsure?.fields[0]?.id, unsure?.standard]).toEqual(["ok", "回答切题即为好。"]);
    expect(priorities.toSorted((left, right) => right - left)).toEqual(priorities);
  });

  test("a named task; somebody else's; one that is answered; one that never was", async () => {
    const { post, claim, world } = await start();
    const { task, token } = await claim();
    expect(kindOf(await post("claim", { reviewer: "韩", reviewId: task.id }))).toBe("409 lease-lost");
    await post("verdict", {
      reviewId: task.id,
      token,
      values: Object.fromEntries(task.questions.map((id) => [id, "A"])),
    });
    expect(kindOf(await post("claim", { reviewer: "韩", reviewId: task.id }))).toBe("409 already-decided");
    expect(kindOf(await post("claim", { reviewer: "韩", reviewId: "none#1#0#0#review" }))).toBe(
      "404 not-found",
    );
    expect(world.queues.settle).toHaveLength(1);
  });

  test("by task, and nothing left", async () => {
    const { post, claim } = await start();
    expect(kindOf(await post("claim", { reviewer: "r", task: "other" }))).toBe("404 nothing-open");
    for (let turn = 0; turn < 3; turn += 1) await claim();
    expect(kindOf(await post("claim", { reviewer: "r" }))).toBe("404 nothing-open");
  });

  test("a lease that ran out goes to the next, and the late verdict is refused (case 84)", async () => {
    const { world, post, claim } = await start();
    const first = await claim();
    for (let turn = 0; turn < 2; turn += 1) await claim();
    world.state.now += minutes(31);
    const second = await claim({ reviewer: "韩", reviewId: first.task.id });
    expect(second.token).not.toBe(first.token);
    const values = Object.fromEntries(first.task.questions.map((id) => [id, "A"]));
    expect(kindOf(await post("verdict", { reviewId: first.task.id, token: first.token, values }))).toBe(
      "409 lease-lost",
    );
    expect((await post("verdict", { reviewId: first.task.id, token: second.token, values })).status).toBe(
      200,
    );
  });

  test("a late verdict is taken if nobody else took the task", async () => {
    const { world, post, claim } = await start();
    const { task, token } = await claim();
    world.state.now += minutes(600);
    const values = Object.fromEntries(task.questions.map((id) => [id, "B"]));
    expect((await post("verdict", { reviewId: task.id, token, values })).status).toBe(200);
  });

  test("an audit is blind", async () => {
    const { world, claim } = await start(undefined, { auditRate: 1 });
    const audits = (await Array.fromAsync(world.stores.reviews.undecided())).filter(
      ({ kind }) => kind === "audit",
    );
    expect(audits).toHaveLength(2);
    const { task } = await claim({ reviewer: "r", reviewId: audits[0]?.id });
    expect(task).toMatchObject({ kind: "audit", prefill: [], reasons: [], questions: ["ok"] });
    expect(task).not.toHaveProperty("explanation");
  });
});

describe("a task that cannot be shown", () => {
  const poison =
    (error: unknown) =>
    (ports: ReviewPorts): Partial<ReviewPorts> => ({
      unpack: async (payload) => {
        if (JSON.stringify(payload).includes("garbage-mark")) throw error;
        return ports.unpack(payload);
      },
    });

  test("does not stand before the others", async () => {
    const { world, claim, post } = await start(poison(permanent("object-missing", "staged sample is gone")));
    const shown = [await claim(), await claim()].map(({ task }) => task.sampleId);
    expect(shown.toSorted()).toEqual(["elsewhere", "unsure"]);
    expect(world.complaints.length).toBeGreaterThan(0);
    expect(kindOf(await post("claim", { reviewer: "r" }))).toBe("404 nothing-open");
  });

  test("is given back where the fault may pass", async () => {
    const { world, post, errors } = await start(poison(transient("unavailable", "S3 is down")));
    const answers = [];
    for (let turn = 0; turn < 3; turn += 1) answers.push((await post("claim", { reviewer: "r" })).status);
    expect(answers).toContain(500);
    expect(errors.length).toBeGreaterThan(0);
    const open = await world.stores.reviews.claimable({ now: world.state.now, limit: 9 });
    expect(open.map(({ sampleId }) => sampleId)).toContain("garbage");
  });
});

describe("lease", () => {
  test("a heartbeat keeps it, a release gives it back, a foreign token does neither", async () => {
    const { world, post, claim } = await start();
    const { task, token } = await claim();
    const lease = { reviewId: task.id, token };
    world.state.now += minutes(20);
    expect(await post("heartbeat", lease)).toEqual({
      status: 200,
      json: { expiresAt: world.state.now + minutes(30) },
    });
    expect(kindOf(await post("heartbeat", { ...lease, token: "other" }))).toBe("409 lease-lost");
    expect(kindOf(await post("release", { ...lease, token: "other" }))).toBe("409 lease-lost");
    expect((await post("release", lease)).status).toBe(200);
    expect(kindOf(await post("heartbeat", lease))).toBe("409 lease-lost");
    expect((await claim({ reviewer: "韩", reviewId: task.id })).token).not.toBe(token);
  });

  test("the token is shown to its holder alone", async () => {
    const { get, claim } = await start();
    const { task, token } = await claim();
    const shown = await get(`/${encodeURIComponent(task.id)}`);
    expect(shown.status).toBe(200);
    expect(JSON.stringify(shown.json)).not.toContain(token);
    expect(JSON.stringify((await get("")).json)).not.toContain(token);
  });
});

describe("verdict", () => {
  test.each([
    ["a code nobody allowed", { ok: "C" }, "422 bad-verdict"],
    ["no answer", {}, "422 bad-verdict"],
    ["a field nobody has", { ok: "A", other: "A" }, "422 bad-verdict"],
  ])("%s is refused, and the lease stays", async (_, values, expected) => {
    const { world, post, claim } = await start();
    const ids = await Array.fromAsync(world.stores.reviews.undecided());
    const { task, token } = await claim({
      reviewer: "r",
      reviewId: ids.find(({ sampleId }) => sampleId === "unsure")?.id,
    });
    expect(kindOf(await post("verdict", { reviewId: task.id, token, values }))).toBe(expected);
    expect((await post("verdict", { reviewId: task.id, token, values: { ok: "A" } })).status).toBe(200);
  });

  test("a repeat tells SETTLE again and is told that it was taken", async () => {
    const { world, post, claim } = await start();
    const { task, token } = await claim();
    const body = {
      reviewId: task.id,
      token,
      values: Object.fromEntries(task.questions.map((id) => [id, "A"])),
      note: "看清楚了",
    };
    expect((await post("verdict", body)).status).toBe(200);
    expect(kindOf(await post("verdict", body))).toBe("409 already-decided");
    expect(world.queues.settle).toHaveLength(2);
    expect(world.queues.settle[0]).toEqual(world.queues.settle[1]);
    expect(world.queues.settle[0]).toMatchObject({ verdict: { reviewer: "李雷", note: "看清楚了" } });
  });

  test("without a claim", async () => {
    const { world, post } = await start();
    const [task] = await Array.fromAsync(world.stores.reviews.undecided());
    expect(kindOf(await post("verdict", { reviewId: task?.id, token: "guess", values: { ok: "A" } }))).toBe(
      "409 lease-lost",
    );
  });
});

describe("requests", () => {
  test.each([
    ["claim", "not json", "400 bad-request"],
    ["claim", {}, "400 bad-request"],
    ["claim", { reviewer: "  " }, "400 bad-request"],
    ["claim", { reviewer: "r", extra: 1 }, "400 bad-request"],
    ["heartbeat", { reviewId: "x" }, "400 bad-request"],
    ["verdict", { reviewId: "x", token: "t", values: { ok: { a: 1 } } }, "400 bad-request"],
    ["nothing", {}, "404 not-found"],
  ])("%s with %j: %s", async (path, body, expected) => {
    const { post } = await start();
    expect(kindOf(await post(path, body))).toBe(expected);
  });

  test("the list says what to choose by, and an unknown id is not found", async () => {
    const { get } = await start();
    const list = await get("?task=talk");
    expect(list).toMatchObject({
      status: 200,
      json: { reviews: [{ kind: "review", task: "talk" }, { task: "talk" }] },
    });
    expect(kindOf(await get("/garbage"))).toBe("404 not-found");
    expect(kindOf(await get(`/${encodeURIComponent("abc#1#0#9#review")}`))).toBe("404 not-found");
  });

  test("an error inside says nothing of the inside", async () => {
    const { post, errors } = await start(() => ({
      templates: {
        ...createWorld({ judge: readingJudge(), captioner: plainCaptioner(), strategy: mixedStrategy() })
          .stores.templates,
        pinned: async () => Promise.reject(transient("unavailable", "secret host 10.0.0.7")),
      },
    }));
    let internal: { status: number; json: unknown } | null = null;
    for (let turn = 0; turn < 3 && internal === null; turn += 1) {
      const answer = await post("claim", { reviewer: "r" });
      if (answer.status === 500) internal = answer;
    }
    expect(JSON.stringify(internal)).not.toContain("secret");
    expect(errors).toHaveLength(1);
  });
});
