import { createHash } from 'node:crypto';

export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.3rem } h2 { font-size: 1.1rem; margin-top: 2rem } h3 { font-size: 1rem; margin-bottom: .3rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .5rem 0 } dd { margin: 0 }
.note { border: 1px solid #888; border-radius: .4rem; padding: .6rem .8rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem; overflow-wrap: normal }
th, td { text-align: left; vertical-align: top; padding: .2rem .5rem; border-bottom: 1px solid #8884 }
td.n, th.n { text-align: right; white-space: nowrap } td.t { white-space: nowrap }
td.bar { width: 30%; min-width: 8rem } svg { width: 100%; height: .8rem } rect { fill: #888 }
.done, .completed { color: #1a7f37 } .failed, .rejected { color: #cf222e } .waiting, .held, .paused { color: #9a6700 }
.skipped, .superseded, .pending, .cancelled { opacity: .7 }
rect.done { fill: #2da44e } rect.failed { fill: #cf222e } rect.waiting, rect.held { fill: #bf8700 } rect.running { fill: #0969da }
.d1 { padding-left: 1.5rem } .d2 { padding-left: 2.5rem } .d3 { padding-left: 3.5rem } .d4 { padding-left: 4.5rem }
pre { white-space: pre-wrap; padding: .6rem; border: 1px solid #8886; border-radius: .4rem; font-size: .85rem; margin: .4rem 0 }
details { margin: .3rem 0 } summary { cursor: pointer } .dim { opacity: .7 }
@media (max-width: 40rem) { td.bar, th.bar, .wide { display: none } }
@media (prefers-color-scheme: dark) { .done, .completed { color: #3fb950 } .failed, .rejected { color: #ff7b72 } .waiting, .held, .paused { color: #d29922 } }
`;

/** Nothing is loaded, sent or executed: the style above is all that the page has next to its text. */
export const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
