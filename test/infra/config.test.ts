/** Configuration: what may be overridden, and that a wrong value is refused by name. */
import { describe, expect, test } from "vitest";
import { configFrom, configs } from "../../infra/config.ts";

describe("configFrom", () => {
  test("is dev without a context, and a stage's own values otherwise", () => {
    expect(configFrom({})).toEqual(configs.dev);
    expect(configFrom({ stage: "prod", "aws:cdk:something": true })).toEqual(configs.prod);
  });

  test("takes what the CDK command line gives, which is text", () => {
    const config = configFrom({
      native: "host",
      timeScale: "60",
      region: "eu-central-1",
      judgeUrl: "http://gpu.example:8000/v1/",
      judgeModel: "qwen",
      mediaHosts: "a.example, b.example,",
      mediaBuckets: "photos",
    });
    expect(config).toMatchObject({
      native: "host",
      timeScale: 60,
      region: "eu-central-1",
      judge: { url: "http://gpu.example:8000/v1", model: "qwen" },
      captioner: configs.dev.captioner,
      mediaHosts: ["a.example", "b.example"],
      mediaBuckets: ["photos"],
    });
  });

  test.each([
    [{ stage: "staging" }, /stage/],
    [{ native: "x64" }, /native/],
    [{ timeScale: "fast" }, /timeScale/],
    [{ timeScale: "0.5" }, /timeScale/],
    [{ judgeUrl: "gpu.example" }, /judgeUrl/],
    [{ mediaHosts: "a.example,https://b.example" }, /"https:\/\/b.example" is no host name/],
    [{ mediaBuckets: "photos,*" }, /mediaBuckets/],
    [{ stage: "prod", timeScale: 60 }, /timeScale must be 1 in prod/],
  ])("refuses %j", (context, message) => {
    expect(() => configFrom(context)).toThrow(message);
  });
});
