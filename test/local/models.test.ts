/** Which model servers the embedded run starts; none here, since the user names every one. */
import { expect, test } from "vitest";
import { startModels } from "../../infra/local/run/models.ts";

const given = {
  JUDGE_URL: "http://judge/v1",
  CAPTIONER_URL: "http://captioner/v1",
  CAPTIONER_MODEL: "vlm",
};

test.each([
  ["http://reader/v1", "another reader of text"],
  ["", "none"],
])("a captioner of one's own is held against TEXT_READER_URL=%s: %s", async (url) => {
  const models = await startModels({ ...given, TEXT_READER_URL: url }, () => undefined);
  expect(models.environment).toEqual({
    JUDGE_URL: "http://judge/v1",
    JUDGE_MODEL: "default",
    CAPTIONER_URL: "http://captioner/v1",
    CAPTIONER_MODEL: "vlm",
    TEXT_READER_URL: url,
  });
  await models.stop();
});

test("where none is named, our OCR reads along, and ends with the others", async () => {
  const models = await startModels(given, () => undefined, ["CAPTIONER"]);
  const { TEXT_READER_URL = "" } = models.environment;
  const answer = await fetch(`${TEXT_READER_URL}/models`);
  expect(await answer.text()).toContain("touchstone-ocr-captioner");
  await models.stop();
  await expect(fetch(`${TEXT_READER_URL}/models`)).rejects.toThrow();
});
