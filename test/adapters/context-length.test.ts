import { describe, expect, test } from "vitest";
import { contextLength } from "../../functions/_aws/context-length.ts";

describe("an error that says there are too many tokens", () => {
  test.each([
    [
      "OpenAI",
      "This model's maximum context length is 4097 tokens. However, you requested 4206 tokens (3406 in the messages, 800 in the completion).",
      4097,
    ],
    [
      "vLLM, the answer's share named",
      "'max_tokens' or 'max_completion_tokens' is too large: 800. This model's maximum context length is 4096 tokens and your request has 4000 input tokens.",
      4096,
    ],
    [
      "vLLM, a decoder's words",
      "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
      4096,
    ],
    ["SGLang", "The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096],
    [
      "TGI, both",
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000",
      4096,
    ],
    ["TGI, the input", "`inputs` must have less than 4095 tokens. Given: 5000", 4095],
    ["llama.cpp", "the request exceeds the available context size, try increasing it", null],
    ["a hosted model", "prompt is too long: 210000 tokens > 200000 maximum", 200000],
  ])("%s", (_, message, limitTokens) => {
    expect(contextLength({ message, code: "400" })).toEqual({ limitTokens });
  });

  test("is told by its code where the words say nothing", () => {
    expect(contextLength({ message: "", code: "context_length_exceeded" })).toEqual({ limitTokens: null });
  });

  test.each(["no such model", "image is too large", "max_tokens must be positive", ""])(
    "is not %j",
    (message) => {
      expect(contextLength({ message, code: "invalid_request_error" })).toBeNull();
    },
  );
});
