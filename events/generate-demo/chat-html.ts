/** Draws a chat screenshot as a page of HTML; rendered by render-pictures.ts. */
import { type Drawing, escapeHtml } from "./poster-html.ts";
import type { Chat } from "./poster-plan.ts";

const rowHeight = 92;

export function drawChat(chat: Chat): Drawing {
  const lines = chat.lines.map(({ side, text }) =>
    side === "centre"
      ? `<div class="time">${escapeHtml(text)}</div>`
      : `<div class="row ${side}"><i></i><span>${escapeHtml(text)}</span></div>`,
  );
  return {
    width: 430,
    height: 76 + rowHeight * chat.lines.length,
    html: `<style>
      body{margin:0;background:#ededed;font-family:Poster,PosterLatin;font-size:19px;color:#181818}
      header{background:#f7f7f7;text-align:center;padding:14px;font-weight:700;border-bottom:1px solid #d8d8d8}
      .time{text-align:center;color:#8a8a8a;font-size:15px;padding:14px 0 4px}
      .row{display:flex;padding:11px 14px;gap:12px;align-items:flex-start} .right{flex-direction:row-reverse}
      i{width:46px;height:46px;background:radial-gradient(circle at 50% 38%,#f3d9bd 30%,#6d86a8 31%);border-radius:6px;
      flex:none} .right i{background:radial-gradient(circle at 50% 38%,#f3d9bd 30%,#b98a4a 31%)}
      span{background:#fff;border-radius:7px;padding:11px 14px;max-width:245px;line-height:1.4} .right span{background:#95ec69}
      </style><header>${escapeHtml(chat.client)}</header>${lines.join("")}`,
  };
}
