/** The look of the trust report: light and dark, wide and narrow, and on paper. */

/** Colours: `--risk` and `--raw`, `--calibrated` are told apart without colour too, by dashes and fills. */
export const pageStyle = `
:root { color-scheme: light dark;
  --ground: #fbfbf9; --card: #fff; --ink: #1c2024; --quiet: #5c6670; --line: #d9dde0; --grid: #e8ebed;
  --risk: #1f5fa8; --band: #1f5fa826; --bound: #1f5fa8; --allowed: #b3261e; --certified: #1b7a43;
  --raw: #8a6d3b; --calibrated: #1f5fa8; --amount: #7d93ab; --good: #1b7a43; --goodGround: #e7f4ec;
  --warn: #8f5a00; --warnGround: #fdf3df; --bad: #b3261e; --badGround: #fdeceb }
@media (prefers-color-scheme: dark) { :root {
  --ground: #14171a; --card: #1c2125; --ink: #e6e9ec; --quiet: #9aa5af; --line: #363e45; --grid: #2a3137;
  --risk: #7fb4f0; --band: #7fb4f02e; --bound: #7fb4f0; --allowed: #ff8a80; --certified: #6fd19a;
  --raw: #d9b871; --calibrated: #7fb4f0; --amount: #8499b0; --good: #7bd8a4; --goodGround: #173526;
  --warn: #f0bf6c; --warnGround: #382b12; --bad: #ff9a91; --badGround: #3d1d1b } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 3rem }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .4rem; overflow-wrap: anywhere }
h2 { font-size: 1.1rem; line-height: 1.35; margin: 0 0 .5rem }
h3 { font-size: .875rem; font-weight: 600; color: var(--quiet); margin: 0 }
p { margin: 0 0 .5rem }
.kind { color: var(--quiet); margin: 0; font-size: .875rem }
.about { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; color: var(--quiet); font-size: .875rem; margin: 0 0 1.25rem }
.about b { color: var(--ink); font-weight: 600; overflow-wrap: anywhere }
section, figure { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1.1rem 1.25rem; margin: 0 0 1rem }
.standing { border-left: .4rem solid var(--warn) }
.standing .badge { display: inline-block; font-weight: 700; font-size: .875rem; border-radius: 1rem; padding: .1rem .75rem; color: var(--warn); background: var(--warnGround) }
.standing.certified { border-left-color: var(--good) } .standing.certified .badge { color: var(--good); background: var(--goodGround) }
.standing.void { border-left-color: var(--bad) } .standing.void .badge { color: var(--bad); background: var(--badGround) }
.sentence { font-size: 1.2rem; line-height: 1.5; font-weight: 600 }
.standing p:last-child { margin: 0; color: var(--quiet) }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 1rem; background: none; border: 0; padding: 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1.1rem }
.card p { margin: 0; color: var(--quiet); font-size: .8125rem } .card .value { color: var(--ink); font-size: 1.9rem; font-weight: 650; line-height: 1.3 }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1rem }
.finding { font-weight: 600 }
figcaption, .note, .quiet, small { color: var(--quiet); font-size: .8125rem } figcaption, .note { margin: .5rem 0 0 }
.alarm, .concern { border-radius: .4rem; padding: .5rem .75rem } .alarm { color: var(--bad); background: var(--badGround) } .concern { color: var(--warn); background: var(--warnGround) }
.alarm small, .concern small { display: block; color: inherit }
.plot { display: block; width: 100%; max-width: 40rem; height: auto; margin: 0 auto; font-size: 13.5px } .plot text { fill: var(--quiet) } .plot .name { font-size: 14px }
.grid line { stroke: var(--grid) } .axis line { stroke: var(--quiet) }
polyline { fill: none; stroke-width: 2 } polygon.band { fill: var(--band) }
polyline.risk { stroke: var(--risk) } circle.risk { fill: var(--risk) }
polyline.bound { stroke: var(--bound); stroke-dasharray: 5 4; stroke-width: 1.5 }
line.allowed { stroke: var(--allowed); stroke-width: 1.5 } .plot text.allowed { fill: var(--allowed) }
line.certified { stroke: var(--certified); stroke-width: 1.5; stroke-dasharray: 2 3 } .plot text.certified { fill: var(--certified) }
polyline.ideal { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 2 4 }
circle.raw { fill: var(--card); stroke: var(--raw); stroke-width: 2 }
circle.calibrated { fill: var(--calibrated) }
.interval { stroke-width: 1.5; opacity: .6 } .interval.raw { stroke: var(--raw) } .interval.calibrated { stroke: var(--calibrated) }
.shares rect { fill: var(--amount); opacity: .35 }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.25rem; list-style: none; margin: .35rem 0 0; padding: 0; font-size: .8125rem }
.legend li { display: flex; align-items: center; gap: .45rem }
.legend i { width: 1.6rem; border-top: 2px solid var(--quiet) } .legend .risk { border-color: var(--risk) } .legend .bound { border-top: 2px dashed var(--bound) }
.legend .raw, .legend .calibrated { width: .8rem; height: .8rem; border: 2px solid var(--raw); border-radius: 50% } .legend .calibrated { background: var(--calibrated); border-color: var(--calibrated) } .legend .ideal { border-top: 2px dotted var(--quiet) }
.legend .shares { height: .7rem; border: 0; background: var(--amount); opacity: .5 }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .6rem .3rem 0; text-align: right; border-bottom: 1px solid var(--grid); white-space: nowrap; font-weight: 400 }
thead th { color: var(--quiet); font-size: .8125rem; border-color: var(--line) } th:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere }
td:last-child, th:last-child { padding-right: 0 } .numbers td:first-child { text-align: left }
.rail { display: block; width: 100%; height: .9rem; overflow: visible }
.track { stroke: var(--grid); stroke-width: 2 } .range { fill: var(--risk); opacity: .35 } .at { fill: var(--risk) } .whole { stroke: var(--ink); stroke-width: .8; opacity: .7 } .amount { fill: var(--amount) }
.strata { display: grid; gap: 1.25rem } .stratum { table-layout: fixed } .stratum th:nth-child(2) { width: 11% } .stratum .measure { width: 31%; text-align: left; padding-left: 1.5rem }
.measure div { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .75rem } .measure data, .measure .none { flex: 0 0 3.25rem } .measure .rail { flex: 1 1 4rem; width: auto; min-width: 0 }
.lags th { font-weight: 700 } .lags .range, .lags .at { fill: var(--bad) }
.lag { color: var(--bad); background: var(--badGround); border-radius: 1rem; padding: 0 .55rem; font-size: .75rem; font-weight: 600; white-space: nowrap }
.lost th { width: 34% } .lost td.bar { width: 46% }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14.5rem), 1fr)); gap: 0 1.5rem; margin: 0 }
.facts div { display: flex; justify-content: space-between; gap: .75rem; border-bottom: 1px solid var(--grid); padding: .3rem 0; font-size: .875rem }
.facts dt { color: var(--quiet) } .facts dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: break-word; min-width: min-content } .together, data { white-space: nowrap } .facts .none { color: var(--quiet) }
details { margin: .6rem 0 0; font-size: .875rem } summary { cursor: pointer; color: var(--quiet) }
@media (max-width: 34rem) { main { padding: 1.25rem .75rem 2rem } section, figure { padding: .9rem .85rem } .cards { gap: .6rem } .cards { grid-template-columns: 1fr 1fr } .card { padding: .7rem .8rem } .card .value { font-size: 1.45rem } .sentence { font-size: 1.05rem } .plot { font-size: 17px } .plot .name { font-size: 17px } .lost th { width: 44% } .lost td.bar { width: 30% } .stratum .measure { padding-left: .6rem; width: 28% } .stratum th:nth-child(2) { width: 17% } .measure .rail { flex-basis: 100% } th { white-space: normal } }
@media print { :root { --ground: #fff; --card: #fff; --ink: #000; --quiet: #444; --line: #bbb; --grid: #ddd }
  body { font-size: 11pt; print-color-adjust: exact; -webkit-print-color-adjust: exact } main { max-width: none; padding: 0 }
  section, figure, .card { break-inside: avoid; border-radius: 0 } details { display: none } }
`;
