/** Content parts: what a sample says and shows, in the order in which it says and shows it. */
import * as z from "zod";

export const mediaRefSchema = z
  .string()
  .min(1, "a media reference is a relative path, an s3:// URI or an https:// URL")
  .max(2048);

export const textPartSchema = z.strictObject({ type: z.literal("text"), text: z.string() });
export const imagePartSchema = z.strictObject({ type: z.literal("image"), ref: mediaRefSchema });
export const videoPartSchema = z.strictObject({ type: z.literal("video"), ref: mediaRefSchema });

export const contentPartSchema = z.discriminatedUnion("type", [
  textPartSchema,
  imagePartSchema,
  videoPartSchema,
]);
export type ContentPart = z.infer<typeof contentPartSchema>;

/** Text alone, or parts in order: where a picture stands matters. */
export const contentSchema = z.union([z.string(), z.array(contentPartSchema).min(1)]);
export type Content = z.infer<typeof contentSchema>;

export const messageRoles = ["system", "user", "assistant", "tool"] as const;
export const chatMessageSchema = z.strictObject({
  role: z.enum(messageRoles),
  name: z.string().min(1).max(128).optional(),
  content: contentSchema,
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** The parts of any content, text included, in order. */
export const contentParts = (content: Content | undefined): readonly ContentPart[] => {
  if (content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
};
