/** Asks the shipped captioner, over its own protocol, what it sees in pictures. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { captionPrompt } from "@touchstone/core/domain/describe/caption-prompt";
import { chatCompletionSchema } from "@touchstone/core/schema/chat";

export interface ToCaption {
  readonly jpeg: Buffer;
  readonly style: "mixed" | "text";
}

const server = fileURLToPath(new URL("../../infra/endpoints/captioner/server.ts", import.meta.url));
const announcement = /\{"listening":"([^"]+)"\}/;

/** One caption per picture, in order. Starts a captioner for the purpose and ends it. */
export async function captionPictures(pictures: readonly ToCaption[]): Promise<string[]> {
  const child = spawn(process.execPath, [server, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString("utf8");
        const found = announcement.exec(said)?.[1];
        if (found) resolve(found);
      });
      child.once("exit", (code) => reject(new Error(`The captioner ended with code ${code}: ${said}`)));
    });
    const captions: string[] = [];
    for (const picture of pictures) captions.push(await captionOne(url, picture));
    return captions;
  } finally {
    child.kill();
  }
}

async function captionOne(url: string, { jpeg, style }: ToCaption): Promise<string> {
  const prompt = captionPrompt(style, "zh");
  const response = await fetch(new URL("/v1/chat/completions", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "captioner",
      temperature: 0,
      max_tokens: 2000,
      messages: [
        { role: "system", content: prompt.system },
        {
          role: "user",
          content: [
            { type: "text", text: prompt.user },
            { type: "image_url", image_url: { url: `data:image/jpeg;base64,${jpeg.toString("base64")}` } },
          ],
        },
      ],
    }),
  });
  const answer = chatCompletionSchema.parse(await response.json());
  const caption = answer.choices?.[0]?.message?.content;
  if (!caption) throw new Error(`The captioner answered ${response.status} without a caption`);
  return caption;
}
