/** The exam's pages of the class `text`, as HTML; render.ts draws them. */
import type { Page, PageKind } from "./page.ts";

const hue = (page: Page, saturation: number, light: number) =>
  `hsl(${page.chance.whole(0, 359)} ${saturation}% ${light}%)`;

const chat =
  (style: string, avatar: boolean): PageKind =>
  (page) => {
    const { chance, words } = page;
    const rows = Array.from({ length: chance.whole(7, 16) }, () => {
      const side = chance.pick(["a", "b"]);
      const time = chance.share() < 0.15 ? `<time>${chance.whole(0, 23)}:${chance.whole(10, 59)}</time>` : "";
      const face = avatar
        ? `<i style="background:${hue(page, 50, 60)}">${words.title().slice(0, 1)}</i>`
        : "";
      return `${time}<div class="${side}">${face}<p>${words.paragraph(chance.pick([1, 1, 1, 2, 3]))}</p></div>`;
    });
    return {
      width: chance.whole(360, 430),
      height: chance.whole(640, 930),
      body: `<style>main{display:flex;flex-direction:column;gap:12px;padding:12px}main>div{display:flex;gap:8px;max-width:84%}
        .b{align-self:flex-end;flex-direction:row-reverse}p{margin:0;padding:8px 12px}time{align-self:center;font-size:12px;color:#999}
        i{flex:none;width:38px;height:38px;line-height:38px;text-align:center;font-style:normal;color:#fff}header{padding:13px;text-align:center;font-weight:bold}
        ${style}</style><header>${words.title()}</header><main>${rows.join("")}</main>`,
    };
  };

const pages = (style: string): PageKind => {
  return (page) => {
    const { chance, words } = page;
    const parts = Array.from({ length: chance.whole(3, 9) }, (_, i) =>
      chance.share() < 0.3
        ? `<h2>${i + 1}. ${words.title()}</h2>`
        : `<p>${words.paragraph(chance.whole(2, 7))}</p>`,
    );
    return {
      width: chance.whole(500, 820),
      height: chance.whole(560, 1_000),
      body: `<style>body{padding:${chance.whole(24, 70)}px;line-height:${chance.between(1.35, 1.9)}}${style}</style><h1>${words.title()}</h1>${parts.join("")}`,
    };
  };
};

const source = `export async function collect(input, limit) {|  const found = new Map();|  for (const item of input) {
|    if (!item.ready) continue; // wait for the rest|    found.set(item.id, item.size * 0.75);|  }
|  return [...found.values()].slice(0, limit);|}|class Store extends Base {|  #open = false;|  get size() { return this.rows.length; }
|  // 这里需要注意顺序|  async close(reason = "done") { await this.flush(); }|}|const total = rows.reduce((sum, row) => sum + row.cost, 0);`;

const code =
  (ground: string, ink: string, colours: readonly string[]): PageKind =>
  ({ chance }) => {
    const lines = chance.some(source.split("|"), chance.whole(18, 44)).map((line, i) => {
      const coloured = line.replace(
        /\b(const|return|async|await|for|if|class|get|new|function)\b/g,
        (word) => {
          return `<b style="color:${chance.pick(colours)}">${word}</b>`;
        },
      );
      return `<span style="color:#888;user-select:none">${String(i + 1).padStart(4)}  </span>${coloured.replace("\n", "")}`;
    });
    return {
      width: chance.whole(480, 860),
      height: chance.whole(380, 720),
      body: `<style>body{background:${ground};color:${ink}}pre{font:${chance.whole(12, 17)}px/1.5 Code,Main;margin:10px}</style><pre>${lines.join("\n")}</pre>`,
    };
  };

const table: PageKind = (page) => {
  const { chance, words } = page;
  const columns = chance.whole(3, 7);
  const cells = (tag: string, cell: () => string) =>
    `<tr>${Array.from({ length: columns }, () => `<${tag}>${cell()}</${tag}>`).join("")}</tr>`;
  const rows = Array.from({ length: chance.whole(8, 26) }, () =>
    cells("td", () => (chance.share() < 0.6 ? words.amount() : words.title())),
  );
  return {
    width: chance.whole(520, 900),
    height: chance.whole(360, 700),
    body: `<style>body{padding:12px;font-size:${chance.whole(12, 16)}px}table{border-collapse:collapse;width:100%}td,th{border:1px solid #ccc;padding:6px 9px}
      th{background:${hue(page, 45, 85)}}tr:nth-child(even){background:#f6f6f6}</style><table>${cells("th", () => words.title())}${rows.join("")}</table>`,
  };
};

const receipt: PageKind = ({ chance, words }) => {
  const items = Array.from(
    { length: chance.whole(6, 18) },
    () => `<p><span>${words.title()}</span><span>${words.amount()}</span></p>`,
  );
  return {
    width: chance.whole(300, 400),
    height: chance.whole(520, 900),
    body: `<style>body{background:#d8d4cc;padding:16px}main{background:#fdfdfb;padding:20px;font-family:Code,Main}p{display:flex;justify-content:space-between;margin:6px 0}
      hr{border:0;border-top:2px dashed #777}h1{font-size:20px;text-align:center}</style><main><h1>${words.title()}</h1><hr>${items.join("")}<hr><p><b>合计 TOTAL</b><b>${words.amount()}</b></p></main>`,
  };
};

const quote: PageKind = (page) => {
  const { chance, words } = page;
  return {
    width: chance.whole(400, 700),
    height: chance.whole(360, 720),
    body: `<style>body{background:linear-gradient(${chance.whole(0, 360)}deg,${hue(page, 75, 50)},${hue(page, 75, 35)});color:#fff;display:flex;flex-direction:column;
      justify-content:center;padding:44px;text-align:${chance.pick(["center", "left"])}}h1{font-size:${chance.whole(30, 58)}px;margin:0 0 20px}</style>
      <h1>“${words.sentence()}”</h1><p>— ${words.title()}</p>`,
  };
};

const inbox: PageKind = (page) => {
  const { chance, words } = page;
  const dark = chance.share() < 0.4;
  const rows = Array.from(
    { length: chance.whole(7, 14) },
    () =>
      `<li><i style="background:${hue(page, 55, 55)}"></i><div><b>${words.title()}</b><small>${words.sentence()}</small></div></li>`,
  );
  return {
    width: chance.whole(360, 460),
    height: chance.whole(600, 900),
    body: `<style>body{background:${dark ? "#16181c" : "#fff"};color:${dark ? "#e7e9ea" : "#222"}}ul{list-style:none;margin:0;padding:0}li{display:flex;gap:12px;padding:11px 14px;border-bottom:1px solid #8884}
      i{flex:none;width:40px;height:40px;border-radius:50%}small{display:block;color:#888;white-space:nowrap;overflow:hidden;max-width:270px}</style><ul>${rows.join("")}</ul>`,
  };
};

const form: PageKind = ({ chance, words }) => {
  const fields = Array.from(
    { length: chance.whole(5, 9) },
    () =>
      `<label>${words.title()}<input value="${chance.share() < 0.6 ? words.title() : ""}"></label>${chance.share() < 0.3 ? `<p><input type=checkbox checked> ${words.sentence()}</p>` : ""}`,
  );
  return {
    width: chance.whole(380, 620),
    height: chance.whole(480, 760),
    body: `<style>body{background:#f3f5f9;padding:26px}label{display:block;margin:13px 0}input:not([type]){display:block;width:92%;padding:9px;border:1px solid #aab;border-radius:6px;font:inherit}
      button{background:#2557d6;color:#fff;border:0;padding:12px 30px;border-radius:8px;font:inherit}</style><h2>${words.title()}</h2>${fields.join("")}<button>${words.title()}</button>`,
  };
};

const terminal: PageKind = ({ chance, words }) => {
  const lines = Array.from({ length: chance.whole(14, 36) }, () =>
    chance.pick([
      `$ run --limit ${chance.whole(1, 99)} ./data`,
      `[${words.amount()}] ${words.sentence()}`,
      `ok ${words.title()}`,
    ]),
  );
  return {
    width: chance.whole(560, 840),
    height: chance.whole(340, 560),
    body: `<style>body{background:#0b0f14}pre{font:14px/1.45 Code,Main;margin:12px;color:${chance.pick(["#7ee787", "#d0d7de", "#ffb454"])}}</style><pre>${lines.join("\n")}</pre>`,
  };
};

const notice: PageKind = (page) => {
  const { chance, words } = page;
  return {
    width: chance.whole(480, 900),
    height: chance.whole(300, 560),
    body: `<style>body{background:${chance.pick([hue(page, 80, 45), hue(page, 30, 92), "#111", "#c8102e"])};color:${chance.pick(["#fff", "#ffe9a8"])};padding:34px;text-shadow:0 1px 3px #0006}
      h1{font:bold ${chance.whole(36, 74)}px/1.2 Show,Main;margin:0}p{font-size:20px}</style><h1>${words.title()}</h1><p>${words.paragraph(2)}</p>`,
  };
};

export const textPages: Readonly<Record<string, PageKind>> = {
  "chat-green": chat(
    "body{background:#ececec}.a p{background:#fff}.b p{background:#9eea6a}p{border-radius:5px}i{border-radius:5px}",
    true,
  ),
  "chat-blue": chat(
    "body{background:#fff}.a p{background:#e9e9eb}.b p{background:#0b84fe;color:#fff}p{border-radius:19px}",
    false,
  ),
  "chat-dark": chat(
    "body{background:#0e1621;color:#eee}.a p{background:#182533}.b p{background:#2b5278}p{border-radius:12px}i{border-radius:50%}",
    true,
  ),
  "chat-lines": chat(
    "body{background:#313338;color:#dbdee1}main>div,.b{align-self:stretch;flex-direction:row;max-width:none}p{padding:2px 0}i{border-radius:50%}",
    true,
  ),
  "page-serif": pages("body{font-family:Book,Main;background:#fffdf7;color:#222}"),
  "page-sans": pages("h1,h2{color:#0b4f8a}"),
  "page-hand": pages("body{font-family:Hand,Main;background:#fbf6e6;color:#223a5e;font-size:19px}"),
  "code-dark": code("#1e1e2e", "#cdd6f4", ["#f38ba8", "#89b4fa", "#a6e3a1"]),
  "code-light": code("#fafafa", "#333", ["#a626a4", "#4078f2", "#c18401"]),
  table,
  receipt,
  quote,
  inbox,
  form,
  terminal,
  notice,
};
