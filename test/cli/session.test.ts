import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openConnection } from "../../infra/cli/connection.ts";
import { placesOf, readOutputs } from "../../infra/cli/outputs.ts";
import { parseSession, readSession, type Session, writeSession } from "../../infra/cli/session.ts";

const dir = mkdtempSync(path.join(tmpdir(), "touchstone-session-"));
afterAll(() => rmSync(dir, { recursive: true }));

const session: Session = {
  schema: 1,
  pid: process.pid,
  startedAt: "2026-03-09T10:11:12.000Z",
  region: "us-east-1",
  endpoints: {
    s3: "http://127.0.0.1:1",
    sqs: "http://127.0.0.1:2",
    dynamodb: "http://127.0.0.1:3",
    sagemaker: "http://127.0.0.1:4",
  },
  credentials: { accessKeyId: "operator", secretAccessKey: "secret" },
  outputs: { storage: { UploadsBucket: "uploads" } },
};

describe("the session file", () => {
  const file = path.join(dir, ".touchstone", "session.json");

  test("is read as it was written, and leaves nothing beside it", async () => {
    await writeSession(file, session);
    expect(await readSession(file)).toEqual(session);
    expect(readdirSync(path.dirname(file))).toEqual(["session.json"]);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  test("without one, nothing is running", async () => {
    await expect(readSession(path.join(dir, "none.json"))).rejects.toThrow(
      /nothing is running; start it with npm start/,
    );
  });

  test("of a process that has ended, nothing is running", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    await writeSession(file, { ...session, pid });
    await expect(readSession(file)).rejects.toThrow(/nothing is running/);
  });

  test.each([
    ["half a file", '{"schema": 1, "pid"'],
    ["another version", JSON.stringify({ ...session, schema: 2 })],
    [
      "an endpoint that is no URL",
      JSON.stringify({ ...session, endpoints: { ...session.endpoints, s3: "x" } }),
    ],
  ])("%s is no session", async (_, text) => {
    expect(parseSession(text)).toBeNull();
    const broken = path.join(dir, "broken.json");
    writeFileSync(broken, text);
    await expect(readSession(broken)).rejects.toThrow(/broken\.json is not a session file.*npm start/);
  });
});

describe("the outputs of a deployment", () => {
  const queues = ["Uploads", "Describe", "Score", "Settle", "Review", "Learn"];
  const outputs = {
    storage: {
      ...{ UploadsBucket: "u", ResultsBucket: "r", LedgerTable: "l", SamplesTable: "s" },
      ...{
        ReviewsTable: "v",
        TasksTable: "t",
        GistsTable: "g",
        UploadsQueueUrl: "https://q/Uploads",
        UploadsDlqUrl: "https://d/Uploads",
      },
    },
    pipeline: {
      ReviewApiUrl: "https://api/",
      ...Object.fromEntries(queues.slice(1).map((name) => [`${name}QueueUrl`, `https://q/${name}`])),
      ...Object.fromEntries(queues.slice(1).map((name) => [`${name}DlqUrl`, `https://d/${name}`])),
    },
  };

  test("are found over all stacks", () => {
    expect(placesOf(outputs)).toMatchObject({
      uploadsBucket: "u",
      tables: { ledger: "l", samples: "s", reviews: "v", gists: "g" },
      queues: { settle: { url: "https://q/Settle", deadLetters: "https://d/Settle" } },
      reviewApiUrl: "https://api",
    });
  });

  test.each([
    [{ ...outputs, pipeline: {} }, /the outputs name no DescribeQueueUrl; deploy all stacks/],
    [{ ...outputs, old: { LedgerTable: "x" } }, /LedgerTable stands in the outputs of storage and of old/],
  ])("that do not fit are named", (given, message) => expect(() => placesOf(given)).toThrow(message));

  test("a file that is none says how to make one", async () => {
    const file = path.join(dir, "outputs.json");
    await expect(readOutputs(file)).rejects.toThrow(/outputs\.json is not readable.*npm run deploy/);
    writeFileSync(file, '{"storage": {"UploadsBucket": 1}}');
    await expect(openConnection({ outputsFile: file })).rejects.toThrow(/npm run deploy/);
  });

  test("without a region on AWS, this is told before anything is called", async () => {
    const file = path.join(dir, "whole.json");
    writeFileSync(file, JSON.stringify(outputs));
    for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"]) delete process.env[name];
    process.env.AWS_CONFIG_FILE = path.join(dir, "no-config");
    process.env.TOUCHSTONE_OUTPUTS = file;
    await expect(openConnection()).rejects.toThrow(/no AWS region is set; set AWS_REGION/);
    process.env.AWS_REGION = "eu-west-1";
    const connection = await openConnection();
    expect([connection.uploadsBucket, connection.resultsBucket]).toEqual(["u", "r"]);
    connection.close();
  });
});

test("the program itself runs, and ends with the right code", () => {
  const program = path.resolve(import.meta.dirname, "../../infra/cli/touchstone.ts");
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      encoding: "utf8",
      env: { ...process.env, LANG: "zh_CN.UTF-8" },
    });
  expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("submit") });
  expect(run("status", "--outputs", "/nowhere.json", "--json")).toMatchObject({
    status: 1,
    stderr: "touchstone: 无法把 /nowhere.json 读作部署输出；请用 npm run deploy 生成\n",
    stdout: expect.stringMatching(/^\{"error":\{"code":"failure","message":"无法把.*"\}\}\n$/),
  });
  expect(run("frobnicate")).toMatchObject({ status: 2, stdout: "" });
});
