/** The published JSON Schemas are those of the code, and accept what the code accepts. */
import { expect, test } from "vitest";
import { staleSchemas } from "../events/generate-schema.ts";
import { jsonSchemas } from "../events/json-schemas.ts";

test('events/schema is fresh; if not, run "npm run schema" and commit what it writes', async () => {
  expect(await staleSchemas()).toEqual([]);
});

test("every schema says what it is, and refuses what it does not know", () => {
  for (const [name, text] of jsonSchemas()) {
    const schema: unknown = JSON.parse(text);
    expect(schema, name).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: expect.any(String),
    });
    if (name !== "message-uploads.schema.json") expect(text, name).toContain('"additionalProperties": false');
  }
});

test("defaults are optional for those who write a template", () => {
  const template: unknown = JSON.parse(jsonSchemas().get("template.schema.json") ?? "null");
  expect(template).toMatchObject({ required: ["task", "version", "family", "title", "standard", "fields"] });
});
