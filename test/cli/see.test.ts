/** `touchstone see`: pictures through DESCRIBE's own steps, and a page that shows a stranger's words without obeying them. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { runCli } from "../../infra/cli/run-cli.ts";
import { halves } from "../adapters/pictures.ts";
import { json, type ScriptedServer, serveScript } from "../contract/model-servers.ts";

const injection = `</pre><script>alert(1)</script><img src=x onerror="alert(2)">‮`;
const caption = (content: string) =>
  json(200, {
    model: "captioner-7b",
    choices: [{ finish_reason: "stop", message: { content } }],
    usage: { prompt_tokens: 1, completion_tokens: 12 },
  });
const prediction = {
  strategy: "picture",
  probabilities: { text: 0.1, picture: 0.7, mixed: 0.2 },
  unsure: false,
};

let dir: string;
let strategy: ScriptedServer;
let captioner: ScriptedServer;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "touchstone-see-"));
  strategy = await serveScript([
    json(200, { model: "strategy-1", predictions: [{ id: "0", ...prediction }] }),
  ]);
  captioner = await serveScript([caption(`A flag. ${injection}`)]);
  const turned = await halves(180, 80).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  await writeFile(path.join(dir, `a <b>"x"&'.jpg`), turned);
  await writeFile(path.join(dir, "empty.png"), "");
  await writeFile(path.join(dir, "notes.txt"), "no picture");
});
afterAll(async () => {
  await Promise.all([strategy.close(), captioner.close()]);
  await rm(dir, { recursive: true, force: true });
});

const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(["see", ...args], {
    root: dir,
    env: {
      LANG: "en",
      STRATEGY_URL: strategy.url,
      CAPTIONER_URL: captioner.url,
      CAPTIONER_MODEL: "captioner-7b",
      ...env,
    },
    now: Date.now,
    stdout: (line) => void out.push(line),
    stderr: (line) => void err.push(line),
    isColored: false,
    connect: () => Promise.reject(new Error("no stack is needed")),
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
};

const answerSchema = z.looseObject({
  pictures: z.array(z.looseObject({ file: z.string(), kind: z.string() })),
  others: z.number(),
  failed: z.number(),
});

describe("a folder", () => {
  test("tells of every picture what was done, which style it got, what was said of it, and what is amiss", async () => {
    const { code, out } = await run([dir]);
    expect(code).toBe(0);
    expect(out).toContain("Done to it: turned by its EXIF mark");
    expect(out).toContain("80×180");
    expect(out).toContain("Strategy: picture (text 10.0%, picture 70.0%, mixed 20.0%)");
    expect(out).toContain("A flag.");
    expect(out).not.toContain("‮");
    expect(out).toContain("Not described: the file is empty");
    expect(out).toContain("2 files: 0 with flags, 1 not described");
    expect(out).toContain("1 other file is left out");
  });

  test("--json: one object, last", async () => {
    const { code, out } = await run([dir, "--json"]);
    const answer = answerSchema.parse(JSON.parse(out));
    expect(code).toBe(0);
    expect(answer).toMatchObject({ others: 1, failed: 0 });
    expect(answer.pictures).toMatchObject([
      {
        kind: "gist",
        done: ["turned"],
        probabilities: prediction.probabilities,
        gist: { width: 80, height: 180, captioner: "captioner-7b", strategyModel: "strategy-1", tokens: 12 },
      },
      { file: "empty.png", kind: "problem", problem: { kind: "unreadable" } },
    ]);
  });

  test("--html: a page that runs nothing, whatever files are called and captioners say", async () => {
    const page = path.join(dir, "seen.html");
    const { code, out } = await run([dir, "--html", page, "--lang", "zh"]);
    const html = await readFile(page, "utf8");
    await rm(page);
    expect(code).toBe(0);
    expect(out).toContain(page);
    expect(html).toContain('<html lang="zh-CN">');
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<img src=x|<b>"x"/);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain("a &lt;b&gt;&quot;x&quot;&amp;&#39;.jpg");
    expect(html.match(/<img /g)).toHaveLength(1);
    expect(html).toMatch(/src="data:image\/(jpeg|png);base64,/);
    expect(html).toContain("按 EXIF 转正");
  });
});

describe("what cannot be done", () => {
  test("a file that is called no picture is looked at when it is named", async () => {
    const { code, out } = await run([path.join(dir, "notes.txt")]);
    expect(code).toBe(0);
    expect(out).toContain("Not described: the file is no picture");
  });

  test("a model that fails is told apart from a picture that cannot be read, and is an error", async () => {
    const broken = await serveScript([json(500, { error: { message: "out of memory" } })]);
    const { code, out, err } = await run([dir, "--json"], { CAPTIONER_URL: broken.url });
    await broken.close();
    expect(code).toBe(1);
    expect(err).toContain("The models failed");
    expect(answerSchema.parse(JSON.parse(out))).toMatchObject({
      failed: 1,
      pictures: [{ kind: "failed" }, { kind: "problem" }],
    });
  });

  test.each([
    ["no such file", "none.png", /there is no file or folder/],
    ["a folder without pictures", ".", /no picture or video lies in/],
  ])("%s", async (_, name, message) => {
    const empty = await mkdtemp(path.join(dir, "empty-"));
    const { code, err } = await run([path.join(empty, name)]);
    await rm(empty, { recursive: true });
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });
});
