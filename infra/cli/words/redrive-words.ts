/** What `redrive` says; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { Text } from "../problem.ts";

export const redriveProblems = {
  unknownQueue: (asked: string, known: readonly string[]): Text => ({
    en: `there is no queue "${asked}"; use ${known.join(", ")}`,
    zh: `没有队列“${asked}”；可用：${known.join("、")}`,
  }),
} as const;

export interface RedriveWords {
  readonly none: (queue: string) => string;
  readonly moving: (moved: number, total: number) => string;
  readonly moved: (queue: string, moved: number) => string;
  readonly refused: (count: number) => string;
  readonly twice: (count: number) => string;
  readonly more: (shown: number, total: number) => string;
  readonly columns: {
    readonly message: string;
    readonly receives: string;
    readonly first: string;
    readonly size: string;
    readonly about: string;
  };
  readonly unknownMessage: string;
  readonly hint: (queue: string) => string;
}

export const redriveWords: Readonly<Record<Language, RedriveWords>> = {
  en: {
    none: (queue) => `The dead-letter queue of ${queue} is empty.`,
    moving: (moved, total) => `moved ${moved} of ${total}`,
    moved: (queue, moved) => `Sent ${moved} messages back to ${queue}.`,
    refused: (count) => `${count} messages were not taken and stay where they are:`,
    twice: (count) =>
      `${count} messages were sent back but could not be deleted; they will come twice, which does no harm.`,
    more: (shown, total) => `${shown} of about ${total} are shown; see more with --max`,
    columns: { message: "message", receives: "received", first: "first seen", size: "size", about: "about" },
    unknownMessage: "(no message of this version)",
    hint: (queue) => `Once the cause is gone, send them back with: npm run touchstone -- redrive ${queue}`,
  },
  zh: {
    none: (queue) => `${queue} 的死信队列是空的。`,
    moving: (moved, total) => `已移回 ${moved} / ${total}`,
    moved: (queue, moved) => `已把 ${moved} 条消息送回 ${queue} 队列。`,
    refused: (count) => `有 ${count} 条消息未被接收，仍留在原处：`,
    twice: (count) => `有 ${count} 条消息已送回但未能删除，会重复投递一次，不影响结果。`,
    more: (shown, total) => `显示 ${shown} 条，共约 ${total} 条；用 --max 查看更多`,
    columns: { message: "消息", receives: "投递次数", first: "首次投递", size: "大小", about: "内容" },
    unknownMessage: "（不是本版本的消息）",
    hint: (queue) => `排除原因后，用 npm run touchstone -- redrive ${queue} 送回队列`,
  },
};
