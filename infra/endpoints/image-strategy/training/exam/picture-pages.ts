/** The exam's drawn pictures without words, as HTML with SVG; render.ts draws them beside the photos. */
import type { Chance } from "./chance.ts";
import type { PageKind } from "./page.ts";

const hue = (chance: Chance) =>
  `hsl(${chance.whole(0, 359)} ${chance.whole(40, 90)}% ${chance.whole(35, 75)}%)`;
const svg = (inside: string) =>
  `<svg width="100%" height="100%" viewBox="0 0 400 400" preserveAspectRatio="xMidYMid slice" style="position:absolute;inset:0">${inside}</svg>`;

const landscape: PageKind = ({ chance }) => {
  const ridge = (y: number) =>
    `<path fill="${hue(chance)}" d="M0 400 V${y} ${Array.from({ length: 9 }, (_, i) => `L${i * 50} ${y + chance.whole(-45, 45)}`).join(" ")} V400Z"/>`;
  const trees = Array.from({ length: chance.whole(0, 9) }, () => {
    const [x, y] = [chance.whole(10, 390), chance.whole(290, 370)];
    return `<rect x="${x - 3}" y="${y}" width="6" height="26" fill="#5b3a1e"/><circle cx="${x}" cy="${y}" r="${chance.whole(10, 24)}" fill="${hue(chance)}"/>`;
  });
  return {
    width: chance.whole(400, 800),
    height: chance.whole(340, 640),
    body: svg(
      `<rect width="400" height="400" fill="${hue(chance)}"/><circle cx="${chance.whole(60, 340)}" cy="90" r="${chance.whole(18, 46)}" fill="#ffe27a"/>${ridge(200)}${ridge(260)}${ridge(310)}${trees.join("")}`,
    ),
  };
};

const face: PageKind = ({ chance }) => ({
  width: chance.whole(320, 560),
  height: chance.whole(320, 560),
  body: svg(
    `<rect width="400" height="400" fill="${hue(chance)}"/><ellipse cx="200" cy="215" rx="${chance.whole(95, 130)}" ry="${chance.whole(110, 145)}" fill="#f3c9a5" stroke="#333" stroke-width="4"/>
    <circle cx="160" cy="190" r="${chance.whole(8, 17)}"/><circle cx="240" cy="190" r="${chance.whole(8, 17)}"/><path d="M150 ${chance.whole(255, 275)} Q200 ${chance.whole(270, 330)} 250 262" fill="none" stroke="#a33" stroke-width="6"/>
    <path d="M95 170 Q200 ${chance.whole(20, 90)} 305 170 L290 120 Q200 40 110 120Z" fill="${hue(chance)}"/>`,
  ),
});

const gradient: PageKind = ({ chance }) => ({
  width: chance.whole(360, 800),
  height: chance.whole(360, 800),
  body: `<style>body{background:${chance.pick(["linear-gradient", "radial-gradient", "conic-gradient"])}(${hue(chance)},${hue(chance)},${hue(chance)})}</style>`,
});

const bareChart: PageKind = ({ chance }) => {
  const points = Array.from({ length: 12 }, (_, i) => `${20 + i * 33},${chance.whole(60, 350)}`);
  const bars = points.map((_, i) => {
    const tall = chance.whole(20, 320);
    return `<rect x="${18 + i * 32}" y="${370 - tall}" width="22" height="${tall}" fill="${hue(chance)}"/>`;
  });
  return {
    width: chance.whole(400, 700),
    height: chance.whole(340, 560),
    body: svg(
      `<rect width="400" height="400" fill="${chance.pick(["#fff", "#f7f7f7", "#1b1f27"])}"/>${chance.share() < 0.5 ? bars.join("") : `<polyline fill="none" stroke="${hue(chance)}" stroke-width="4" points="${points.join(" ")}"/>`}<path d="M14 20V372H392" fill="none" stroke="#777" stroke-width="2"/>`,
    ),
  };
};

const cloth =
  (filter: string): PageKind =>
  ({ chance }) => ({
    width: chance.whole(360, 700),
    height: chance.whole(360, 700),
    body: `<svg width="100%" height="100%" style="position:absolute;inset:0"><filter id="f">${filter.replaceAll("SEED", String(chance.whole(1, 999))).replaceAll("RATE", chance.between(0.02, 0.2).toFixed(3))}</filter>
    <rect width="100%" height="100%" fill="${hue(chance)}" filter="url(#f)"/></svg>`,
  });

const tiles: PageKind = ({ chance }) => {
  const side = chance.whole(10, 60);
  const [a, b] = [hue(chance), hue(chance)];
  return {
    width: chance.whole(360, 700),
    height: chance.whole(360, 700),
    body: `<style>body{background:${chance.pick([
      `repeating-linear-gradient(${chance.whole(0, 180)}deg,${a} 0 ${side}px,${b} ${side}px ${side * 2}px)`,
      `repeating-radial-gradient(circle at 30% 30%,${a} 0 ${side}px,${b} ${side}px ${side * 2}px)`,
      `conic-gradient(${a} 25%,${b} 0 50%,${a} 0 75%,${b} 0) 0 0/${side}px ${side}px`,
    ])}}</style>`,
  };
};

export const picturePages: Readonly<Record<string, PageKind>> = {
  "drawn-landscape": landscape,
  "drawn-face": face,
  gradient,
  "bare-chart": bareChart,
  "texture-clouds": cloth(
    `<feTurbulence type="fractalNoise" baseFrequency="RATE" numOctaves="4" seed="SEED"/><feDiffuseLighting lighting-color="#fff" surfaceScale="3"><feDistantLight azimuth="45" elevation="55"/></feDiffuseLighting>`,
  ),
  "texture-fibres": cloth(
    `<feTurbulence type="turbulence" baseFrequency="0.006 RATE" numOctaves="3" seed="SEED"/><feColorMatrix values="0.6 0 0 0 .3 0 .5 0 0 .2 0 0 .4 0 .1 0 0 0 0 1"/>`,
  ),
  "texture-tiles": tiles,
};
