/** The exam's pages of the class `mixed`, as HTML; render.ts draws them. */
import type { PageKind } from "./page.ts";

const chatPhoto =
  (style: string): PageKind =>
  ({ chance, words, photo }) => {
    const shown = chance.whole(1, 3);
    const rows = Array.from({ length: 7 }, (_, i) => {
      const side = chance.pick(["a", "b"]);
      const what =
        i === shown || (i === shown + 2 && chance.share() < 0.4)
          ? `<img style="width:${chance.whole(170, 250)}px" src="${photo()}">`
          : `<p>${words.paragraph(chance.pick([1, 1, 2]))}</p>`;
      return `<div class="${side}">${what}</div>`;
    });
    return {
      width: chance.whole(370, 430),
      height: chance.whole(660, 900),
      body: `<style>main{display:flex;flex-direction:column;gap:12px;padding:14px}main>div{max-width:80%}.b{align-self:flex-end}p{margin:0;padding:8px 12px;border-radius:9px}
        img{display:block;border-radius:8px}header{padding:13px;font-weight:bold}${style}</style><header>${words.title()}</header><main>${rows.join("")}</main>`,
    };
  };

const poster: PageKind = ({ chance, words, photo }) => ({
  width: chance.whole(400, 620),
  height: chance.whole(520, 860),
  body: `<style>body{background:url(${photo()}) center/cover;color:#fff;display:flex;flex-direction:column;justify-content:space-between;padding:30px;text-shadow:0 2px 8px #000b}
    h1{font:${chance.whole(44, 82)}px/1.15 Show,Main;margin:0}p{font-size:22px}b{align-self:center;background:#e33;padding:12px 26px;border-radius:30px}</style>
    <h1>${words.title()}</h1><div><p>${words.sentence()}</p><b>${words.title()}</b></div>`,
});

const meme: PageKind = ({ chance, words, photo }) => ({
  width: chance.whole(400, 640),
  height: chance.whole(400, 640),
  body: `<style>body{background:url(${photo()}) center/cover;display:flex;flex-direction:column;justify-content:space-between;text-align:center}
    h2{margin:8px;font:bold ${chance.whole(32, 48)}px Main;color:#fff;-webkit-text-stroke:1.5px #000}</style><h2>${words.title()}</h2><h2>${words.sentence()}</h2>`,
});

const news: PageKind = ({ chance, words, photo }) => ({
  width: chance.whole(560, 860),
  height: chance.whole(560, 900),
  body: `<style>body{padding:22px;background:#fff}h1{font:bold 32px/1.25 Book,Main}figure{margin:0 0 14px;${chance.share() < 0.5 ? "float:right;width:50%;margin-left:16px" : ""}}img{width:100%}figcaption{font-size:12px;color:#777}p{line-height:1.6}</style>
    <h1>${words.sentence()}</h1><figure><img src="${photo()}"><figcaption>${words.sentence()}</figcaption></figure>${Array.from({ length: 5 }, () => `<p>${words.paragraph(4)}</p>`).join("")}`,
});

const product: PageKind = ({ chance, words, photo }) => ({
  width: chance.whole(370, 440),
  height: chance.whole(680, 900),
  body: `<style>body{background:#f5f5f5}img{width:100%;height:${chance.whole(270, 400)}px;object-fit:cover}section{background:#fff;padding:14px;margin-bottom:9px}strong{color:#e02020;font-size:28px}
    button{background:#ff5000;color:#fff;border:0;border-radius:22px;padding:12px 34px;font:inherit}</style><img src="${photo()}"><section><strong>${words.amount()}</strong><h3>${words.paragraph(2)}</h3><small>${words.sentence()}</small></section>
    <section>${words.paragraph(4)}</section><section><button>${words.title()}</button></section>`,
});

const shelf: PageKind = ({ chance, words, photo }) => {
  const columns = chance.whole(2, 4);
  const cards = Array.from(
    { length: columns * 3 },
    () => `<article><img src="${photo()}"><b>${words.title()}</b><p>${words.amount()}</p></article>`,
  );
  return {
    width: columns * chance.whole(170, 210),
    height: chance.whole(480, 820),
    body: `<style>main{display:grid;grid-template-columns:repeat(${columns},1fr);gap:12px;padding:12px}img{width:100%;height:130px;object-fit:cover;border-radius:9px}p{margin:2px 0;color:#c33}</style><main>${cards.join("")}</main>`,
  };
};

const videos: PageKind = ({ chance, words, photo }) => {
  const dark = chance.share() < 0.5;
  const rows = Array.from(
    { length: 7 },
    () =>
      `<li><img src="${photo()}"><div><b>${words.sentence()}</b><br><small>${words.title()} · ${words.amount()}</small></div></li>`,
  );
  return {
    width: chance.whole(420, 620),
    height: chance.whole(520, 760),
    body: `<style>body{background:${dark ? "#0f0f0f" : "#fff"};color:${dark ? "#f1f1f1" : "#111"}}ul{list-style:none;padding:10px;margin:0}li{display:flex;gap:12px;margin-bottom:14px}
      img{flex:none;width:42%;height:108px;object-fit:cover;border-radius:8px}small{color:#888}</style><ul>${rows.join("")}</ul>`,
  };
};

const slide: PageKind = ({ chance, words, photo }) => ({
  width: 800,
  height: chance.pick([450, 600]),
  body: `<style>body{display:flex;background:${chance.pick(["#fff", "#16324f", "#f4efe6"])};color:${chance.pick(["#222", "#444"])}}div{flex:1;padding:36px;background:#fffc}img{width:${chance.whole(300, 400)}px;height:100%;object-fit:cover}
    h1{font:34px Show,Main}li{margin:12px 0;font-size:19px}</style><div><h1>${words.title()}</h1><ul>${Array.from({ length: 4 }, () => `<li>${words.sentence()}`).join("")}</ul></div><img src="${photo()}">`,
});

const infographic: PageKind = ({ chance, words }) => {
  const bars = Array.from({ length: chance.whole(4, 8) }, (_, i) => {
    const tall = chance.whole(30, 220);
    const x = 40 + i * 60;
    return `<rect x="${x}" y="${250 - tall}" width="40" height="${tall}" fill="hsl(${chance.whole(0, 359)} 65% 50%)"/><text x="${x}" y="270" font-size="13">${words.title().slice(0, 4)}</text><text x="${x}" y="${244 - tall}" font-size="12">${chance.whole(1, 99)}</text>`;
  });
  return {
    width: chance.whole(540, 680),
    height: chance.whole(480, 640),
    body: `<style>body{padding:22px;background:${chance.pick(["#fff", "#eef6f3", "#fff7e8"])}}</style><h2>${words.sentence()}</h2>
      <svg width="540" height="285"><line x1="30" x2="530" y1="250" y2="250" stroke="#555"/>${bars.join("")}</svg><p>${words.paragraph(3)}</p><p>${words.paragraph(2)}</p>`,
  };
};

const profile: PageKind = ({ chance, words, photo }) => ({
  width: chance.whole(370, 430),
  height: chance.whole(620, 820),
  body: `<style>header img{width:100%;height:200px;object-fit:cover}section{padding:16px}.g{display:grid;grid-template-columns:1fr 1fr 1fr;gap:4px}.g img{width:100%;height:110px;object-fit:cover}</style>
    <header><img src="${photo()}"></header><section><h2>${words.title()}</h2><p>${words.paragraph(3)}</p></section><div class="g">${Array.from({ length: 6 }, () => `<img src="${photo()}">`).join("")}</div><section>${words.paragraph(3)}</section>`,
});

const magazine: PageKind = ({ chance, words, photo }) => ({
  width: chance.whole(440, 600),
  height: chance.whole(600, 800),
  body: `<style>body{background:url(${photo()}) center/cover;color:#fff;padding:22px}h1{font:bold ${chance.whole(64, 100)}px/1 Book,Main;margin:0;text-align:center;text-shadow:0 0 12px #000}
    aside{position:absolute;bottom:30px;left:22px;width:55%;background:#000a;padding:14px}</style><h1>${words.title().slice(0, 8)}</h1><aside><h3>${words.sentence()}</h3>${words.paragraph(2)}</aside>`,
});

export const mixedPages: Readonly<Record<string, PageKind>> = {
  "chat-photo-light": chatPhoto("body{background:#efeae2}.a p{background:#fff}.b p{background:#d9fdd3}"),
  "chat-photo-dark": chatPhoto(
    "body{background:#101010;color:#eee}.a p{background:#262626}.b p{background:#1d5fd1}",
  ),
  poster,
  meme,
  news,
  product,
  shelf,
  videos,
  slide,
  infographic,
  profile,
  magazine,
};
