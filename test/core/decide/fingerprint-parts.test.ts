/** The parts of a judge's fingerprint that its name tells. */
import { fingerprintParts } from "@touchstone/core/domain/decide/fingerprint";
import { expect, test } from "vitest";
import { template } from "../judge/prompt-fixture.ts";

const pin = { task: template.task, version: 1, versionId: "v1" };

test.each([
  ["Qwen3-VL-32B-Instruct-AWQ", "awq"],
  ["org/Model-7B-GPTQ-Int4", "gptq int4"],
  ["RedHatAI/Llama-3-70B-FP8", "fp8"],
  ["model.w8a8", "w8a8"],
  ["llama-3-8b.Q4_K_M.gguf", "q4_k_m"],
  ["Qwen3-32B", null],
  ["fp80-judge", null],
  ["touchstone-baseline-judge-1 (lexical baseline, not a language model)", null],
])("%s is stored as %s", (model, quantisation) => {
  expect(fingerprintParts(model, pin, template)).toMatchObject({ model, quantisation });
});
