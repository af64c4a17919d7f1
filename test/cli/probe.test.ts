/** `touchstone probe` against servers with every quirk that it looks for, and against the baseline judge. */
import { createServer } from "node:http";
import { probeKey } from "@touchstone/core/domain/probe/probe-identity";
import type { TokenLogprob } from "@touchstone/core/schema/chat";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { s3JudgeProbe } from "../../functions/_aws/s3-judge-probe.ts";
import { runCli } from "../../infra/cli/run-cli.ts";
import { startBaselineJudge } from "../../infra/endpoints/baseline-judge/server.ts";
import { readBody } from "../../infra/local/http-server.ts";
import { listen } from "../contract/loopback.ts";
import { token, withoutBytes } from "../core/confidence/tokens.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => await world?.close());

interface Quirks {
  readonly logprobs?: "raw" | "processed" | "none";
  readonly bytes?: "true" | "replaced" | "none";
  readonly thought?: "in-logprobs" | "apart";
  readonly guided?: { readonly by: string; readonly mass: number };
  /** Other parameters that force a choice are refused, not passed over. */
  readonly isStrict?: boolean;
  /** Log odds of the verdict that are added by turns. */
  readonly jitter?: number;
  readonly alternatives?: number;
}

const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds));
const guidedNames = ["structured_outputs", "guided_choice", "response_format"];

/** An OpenAI-compatible server that is sure of Y with the probability 0.75. */
const startServer = async (quirks: Quirks) => {
  let calls = 0;
  const server = await listen(
    createServer(async (request, response) => {
      if (request.method === "GET") {
        response.end(JSON.stringify({ object: "list", data: [{ id: "quirky-7b" }] }));
        return;
      }
      calls += 1;
      const body: unknown = JSON.parse((await readBody(request)).toString());
      const asked = new Map<string, unknown>(Object.entries(body ?? {}));
      const unknown = guidedNames.find((name) => asked.has(name) && name !== quirks.guided?.by);
      if (quirks.isStrict && unknown) {
        response.writeHead(400).end(JSON.stringify({ error: { message: `Unknown parameter: ${unknown}` } }));
        return;
      }
      const isWhole = JSON.stringify(asked.get("messages")).includes("explanation");
      const warm = asked.get("temperature") === 0.7 && quirks.logprobs === "processed";
      const odds = (Math.log(3) + (quirks.jitter ?? 0) * (calls % 2)) / (warm ? 0.7 : 1);
      const isForced = quirks.guided !== undefined && asked.has(quirks.guided.by);
      response.end(
        JSON.stringify(completion(isForced ? forced(quirks) : answer(isWhole, odds, quirks), quirks)),
      );
    }),
  );
  return { ...server, calls: () => calls };
};

const forced = ({ guided, alternatives = 20 }: Quirks): TokenLogprob[] => {
  const mass = guided?.mass ?? 1;
  const q = token("Q", 0.6 * mass, { Z: 0.4 * mass, ...(mass < 1 ? { Y: 1 - mass } : {}) });
  return [{ ...q, top_logprobs: (q.top_logprobs ?? []).slice(0, alternatives) }];
};

const answer = (
  isWhole: boolean,
  odds: number,
  { bytes = "true", alternatives = 20 }: Quirks,
): TokenLogprob[] => {
  const fillers = Object.fromEntries(Array.from({ length: 18 }, (_, index) => [`f${index}`, 1e-6]));
  const yes = token("Y", sigmoid(odds), { N: 1 - sigmoid(odds), ...fillers });
  const verdict = { ...yes, top_logprobs: (yes.top_logprobs ?? []).slice(0, alternatives) };
  if (!isWhole) return [verdict];
  // One character in two tokens, as byte-level vocabularies cut it.
  const cut =
    bytes === "replaced"
      ? [token("\ufffd", 0.9), token("\ufffd", 0.9)]
      : [token("\ufffd", 0.9, {}, [0xe7, 0xa7]), token("\ufffd", 0.9, {}, [0x80])];
  const tokens = [
    token('{"explanation":"优'),
    ...cut,
    token('","evidence":[],"fields":{"heads":"'),
    verdict,
    token('"}}'),
  ];
  return bytes === "none" ? withoutBytes(tokens) : tokens;
};

const completion = (tokens: readonly TokenLogprob[], { logprobs, thought }: Quirks) => {
  const content = tokens
    .map((one) => one.token)
    .join("")
    .replace(/\ufffd+/, "秀");
  const before = thought === "in-logprobs" ? [token("<think>"), token("hm"), token("</think>")] : [];
  return {
    model: "quirky-7b-awq",
    choices: [
      {
        finish_reason: "stop",
        message: { content, ...(thought === "apart" ? { reasoning_content: "hm" } : {}) },
        logprobs: logprobs === "none" ? null : { content: [...before, ...tokens] },
      },
    ],
  };
};

const findings = async (quirks: Quirks) => {
  const server = await startServer(quirks);
  const { code, json, err } = await world.cli("probe", "--judge", server.url, "--json");
  await server.close();
  expect([code, err]).toMatchObject([0, expect.any(String)]);
  return json;
};

describe("a server", () => {
  test("with everything as it should be", async () => {
    expect(await findings({ guided: { by: "structured_outputs", mass: 1 } })).toMatchObject({
      model: "quirky-7b",
      answeredBy: "quirky-7b-awq",
      findings: {
        reasoning: "none",
        guided: "after-grammar",
        guidedBy: "structured_outputs",
        logprobs: "raw",
        bytes: "true",
        topLogprobs: 20,
        steady: true,
      },
      measures: { maxDelta: 0, temperatureShift: 0 },
    });
  });

  test("whose probabilities follow the temperature", async () => {
    expect(await findings({ logprobs: "processed" })).toMatchObject({ findings: { logprobs: "processed" } });
  });

  test("without probabilities", async () => {
    expect(await findings({ logprobs: "none" })).toMatchObject({
      findings: { logprobs: "missing", bytes: "unclear", topLogprobs: 0, steady: null },
      measures: { maxDelta: null },
    });
  });

  test.each([
    ["replaced", "replaced"],
    ["none", "none"],
  ] as const)("with bytes that are %s", async (bytes, found) => {
    expect(await findings({ bytes })).toMatchObject({ findings: { bytes: found, logprobs: "raw" } });
  });

  test.each(["in-logprobs", "apart"] as const)("that thinks %s", async (thought) => {
    expect(await findings({ thought })).toMatchObject({ findings: { reasoning: thought, steady: true } });
  });

  test("that forces a choice before the probabilities are taken, in its own way", async () => {
    const quirks = { guided: { by: "response_format", mass: 0.01 }, isStrict: true };
    expect(await findings(quirks)).toMatchObject({
      findings: { guided: "before-grammar", guidedBy: "response_format" },
      measures: { guidedMass: expect.closeTo(0.01, 6) },
    });
  });

  test.each([
    [false, "ignored"],
    [true, "unsupported"],
  ])("that forces nothing (strict: %s)", async (isStrict, guided) => {
    expect(await findings({ isStrict })).toMatchObject({ findings: { guided, guidedBy: null } });
  });

  test("that wavers, and lists few alternatives", async () => {
    expect(await findings({ jitter: 0.9, alternatives: 5 })).toMatchObject({
      findings: { steady: false, topLogprobs: 5 },
    });
  });
});

describe("the record", () => {
  const server = async () => await startBaselineJudge({ port: 0 });

  test("is stored where SCORE finds it by address and model", async () => {
    const baseline = await server();
    const args = ["--judge", `${baseline.url}/v1/`, "--model", "baseline"];
    const { code, json, err } = await world.cli("probe", ...args, "--json");
    await baseline.close();
    expect(code, err).toBe(0);
    expect(json).toMatchObject({
      url: baseline.url,
      findings: { reasoning: "none", guided: "ignored", bytes: "true", steady: true },
      stored: `s3://contract/${probeKey(baseline.url, "baseline")}`,
    });
    const judge = { url: baseline.url, model: "baseline" };
    const hash = await s3JudgeProbe(world.blobs, "contract", judge, Date.now)();
    expect(json).toMatchObject({ hash });
    expect(await s3JudgeProbe(world.blobs, "contract", { ...judge, model: "other" }, Date.now)()).toBeNull();
    expect(err).toContain(`${hash} is now part of the judge's fingerprint`);
  });

  test("is shown even where nothing runs", async () => {
    const baseline = await server();
    const out: string[] = [];
    const code = await runCli(["probe", "--judge", baseline.url, "--json", "--lang", "zh"], {
      root: "/nowhere",
      env: {},
      now: () => 0,
      stdout: (line) => void out.push(line),
      stderr: (line) => void out.push(line),
      isColored: false,
      connect: async () =>
        (await import("../../infra/cli/connection.ts")).openConnection({ sessionFile: "/nowhere/x" }),
    });
    await baseline.close();
    expect(code, out.join("\n")).toBe(0);
    expect(JSON.parse(out.at(-1) ?? "")).toMatchObject({ stored: null, findings: { guided: "ignored" } });
    expect(out.join("\n")).toContain("没有存储");
  });
});

test.each([
  ["an address that is none", ["--judge", "gpu-1:8000"], 2, /"gpu-1:8000" is no address/],
  ["a server that is not there", ["--judge", "http://127.0.0.1:9", "--model", "m"], 1, /cannot be reached/],
])("%s is said", async (_, args, code, message) => {
  const ended = await world.cli("probe", ...args);
  expect([ended.code, ended.err]).toEqual([code, expect.stringMatching(message)]);
});
