/** The report's one style sheet. System fonts, no image, nothing fetched. */
import { CAPACITY_CSS } from './capacity-styles.ts'
import { PALETTE_CSS } from './palette.ts'
import { SERIES_CSS } from './series-styles.ts'

const BASE = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--ink);overflow-wrap:anywhere;
 font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif}
.wrap{max-width:1120px;margin:0 auto;padding:0 24px}
h1,h2,h3,p,ul,dl,dd,figure,pre{margin:0}
h2{font-size:1.25rem;line-height:1.3;font-weight:650;letter-spacing:-.01em}
h3{font-size:1rem;line-height:1.4;font-weight:650}
ul{padding:0;list-style:none}
a{color:var(--link);text-underline-offset:2px;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
:target{outline:2px solid var(--link);outline-offset:4px;border-radius:4px}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.8667rem}
pre{background:var(--code);border:1px solid var(--line);border-radius:6px;padding:10px 12px;
 white-space:pre-wrap;line-height:1.5;tab-size:2}
.muted{color:var(--muted)}
.small{font-size:.8667rem}
.nowrap{white-space:nowrap}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
main>section{margin-top:40px}
section>h2+*{margin-top:12px}
.lead{max-width:76ch}
.label{font-size:.8rem;font-weight:600;color:var(--muted);margin-bottom:4px}
footer{margin:48px 0 32px;padding-top:16px;border-top:1px solid var(--line);color:var(--muted);font-size:.8667rem}
`

const BANNER = `
.banner{background:var(--tint);border-bottom:1px solid var(--line);border-top:6px solid var(--tone)}
.banner .wrap{padding-top:28px;padding-bottom:28px}
.headline{display:flex;align-items:center;gap:18px}
.sign{flex:none;display:grid;place-items:center;width:60px;height:60px;border-radius:50%;
 background:var(--tone);color:var(--card);font-size:32px;line-height:1;font-weight:700}
h1{font-size:2.6rem;line-height:1.1;font-weight:720;letter-spacing:-.025em;color:var(--tone)}
h1 .exit{font-size:1rem;font-weight:600;letter-spacing:0;white-space:nowrap;vertical-align:.42em;margin-left:10px;
 padding:3px 9px;border:1.5px solid currentColor;border-radius:99px}
.reason{font-size:1.2rem;line-height:1.45;margin-top:16px;max-width:68ch;text-wrap:pretty}
.next{margin-top:8px;max-width:84ch;text-wrap:pretty}
.next b,.marks b{font-weight:650}
.marks{margin-top:12px;display:grid;gap:6px;max-width:84ch}
.marks li{padding-left:14px;border-left:3px solid var(--tone)}
.facts{display:flex;flex-wrap:wrap;gap:10px 36px;margin-top:22px;font-size:.9333rem}
.facts dt{font-size:.8rem;font-weight:600;color:var(--muted)}
.facts dd{max-width:44ch}
.tally{margin-top:24px}
.tally svg{display:block;width:100%;height:10px;border-radius:5px}
.tally rect{fill:var(--tone)}
.tally ul{display:flex;flex-wrap:wrap;gap:6px 22px;margin-top:10px}
.tally li{font-variant-numeric:tabular-nums}
.contents{border-bottom:1px solid var(--line);background:var(--card)}
.contents ul{display:flex;flex-wrap:wrap;gap:2px 22px;padding:10px 0;font-size:.9333rem}
.contents a{display:inline-block;padding:4px 0;text-decoration:none}
.contents a:hover{text-decoration:underline}
.contents span{color:var(--muted);font-variant-numeric:tabular-nums}
`

const PARTS = `
.verdict{white-space:nowrap;color:var(--tone);font-weight:600}
.verdict .glyph{display:inline-block;min-width:1.05em;font-weight:700}
.chip{display:inline-block;padding:0 7px;border-radius:4px;background:var(--tint);color:var(--tone);
 font-weight:600;white-space:nowrap;font-variant-numeric:tabular-nums}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:18px 20px;margin-top:14px}
.card.toned{border-left:4px solid var(--tone)}
.card>*+*{margin-top:12px}
.card .statement{font-size:1.0667rem;max-width:80ch;text-wrap:pretty}
.issue-head{display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline}
.issue-head h3{font-size:1.1333rem}
.versus{display:grid;grid-template-columns:1fr 1fr;gap:1px;background:var(--line);border:1px solid var(--line);
 border-radius:6px;overflow:hidden}
.versus>div{background:var(--card);padding:10px 14px}
.versus .actual{background:var(--tint)}
.versus .actual .label{color:var(--tone)}
.versus p{white-space:pre-line}
.looked{margin-bottom:6px}
details>summary{cursor:pointer}
summary::marker{color:var(--muted)}
.exchange{border:1px solid var(--line);border-radius:6px;background:var(--card)}
.exchange+.exchange{margin-top:6px}
.exchange>summary{padding:7px 12px}
.exchange[open]>summary{border-bottom:1px solid var(--line)}
.exchange>div{padding:12px;display:grid;gap:12px}
.messages{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:12px}
.fold{background:var(--card);border:1px solid var(--line);border-radius:8px;margin-top:8px}
.fold>summary{padding:10px 16px;font-weight:600}
.fold>summary .counts{font-weight:400;margin-left:10px}
.fold .counts>*+*{margin-left:12px}
.fold>div,.fold>table{border-top:1px solid var(--line)}
.fold>div{padding:12px 16px}
table.matrix{table-layout:fixed}
.matrix th:nth-child(1){width:130px}
.matrix th:nth-child(3){width:28%}
.matrix th:nth-child(4){width:168px}
.tablet+*,*+.tablet{margin-top:14px}
.tablet{background:var(--card);border:1px solid var(--line);border-radius:8px;overflow:hidden}
table{width:100%;border-collapse:collapse;font-size:.9333rem}
caption{text-align:left;padding:10px 16px;font-weight:600}
th,td{text-align:left;vertical-align:top;padding:8px 16px;border-top:1px solid var(--line)}
thead th{font-size:.8rem;color:var(--muted);font-weight:600;border-top:0;padding-top:10px}
caption+thead th{border-top:1px solid var(--line)}
tbody th{font-weight:600}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.why{display:block;color:var(--muted);font-size:.8667rem}
.why.because{color:var(--tone)}
.groups{display:grid;gap:10px}
.groups li{max-width:90ch}
.void{border-left:4px solid var(--tone)}
.void li+li{margin-top:10px}
.void li{max-width:90ch}
.void b{font-weight:650}
.pairs{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr));gap:0 32px}
.pairs>div{display:flex;gap:12px;justify-content:space-between;padding:5px 0;border-bottom:1px solid var(--line)}
.pairs dt{color:var(--muted);flex:none;max-width:62%}
.pairs .wide{grid-column:1/-1;justify-content:flex-start}
.pairs .wide dt{width:130px;max-width:none}
.pairs .wide dd{text-align:left}
.pairs dd{text-align:right;font-variant-numeric:tabular-nums}
`

const PLOT = `
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,500px),1fr));gap:14px}
.plots>*{min-width:0}
.plots .card{margin-top:0}
.plot{display:block;width:100%;overflow:visible;font-size:11px;font-family:inherit}
.plot text{fill:var(--muted);font-variant-numeric:tabular-nums}
.plot .strong{fill:var(--ink);font-weight:600;paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}
.plot .area{width:calc(100% - 12px);overflow:visible}
.plot .frame{fill:none;stroke:var(--line)}
.plot .band{fill:var(--code)}
.plot .over{fill:var(--fail-tint)}
.plot .grid{stroke:var(--line)}
.plot .edge{stroke:var(--muted);stroke-dasharray:2 3}
.plot .budget{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:7 4}
.plot path{fill:none;vector-effect:non-scaling-stroke}
.plot .stairs{stroke:var(--pass);stroke-width:1;opacity:.55}
.plot .admitted,.key .admitted{stroke:var(--pass);stroke-width:5;stroke-linecap:round}
.plot .dense .admitted{stroke-width:3.5}
.plot .refused,.key .refused{stroke:var(--untested);stroke-width:1.4}
.plot .open,.key .open{stroke:var(--inconclusive);stroke-width:7;stroke-linecap:square}
.plot .hole,.key .hole{stroke:var(--card);stroke-width:3.5;stroke-linecap:square}
.key{margin-bottom:12px;display:flex;flex-wrap:wrap;gap:4px 20px;font-size:.8667rem;color:var(--muted)}
.key svg{width:16px;height:14px;vertical-align:-2px;margin-right:5px;overflow:visible}
.key path,.key line{fill:none}
.key line{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 3}
.key .edge{stroke:var(--muted);stroke-dasharray:2 3;stroke-width:1}
.plot .beyond,.key .beyond{stroke:var(--fail);stroke-width:7;stroke-linecap:round}
figcaption{font-size:.8667rem}
.scenario-windows{margin-top:14px}
h2 .count{color:var(--muted);font-weight:400;margin-left:6px;font-variant-numeric:tabular-nums}
`

const NARROW = `
@media (max-width:720px){
 .wrap{padding:0 16px}
 h1{font-size:2rem}
 h1 .exit{display:table;margin:6px 0 0;font-size:.9rem}
 .sign{width:48px;height:48px;font-size:26px}
 .headline{gap:14px;align-items:flex-start}
 .reason{font-size:1.0667rem}
 .facts{gap:10px 28px}
 .versus,.messages{grid-template-columns:minmax(0,1fr)}
 .card{padding:14px 14px}
 .stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
 .stack tr{display:grid;grid-template-columns:1fr auto;gap:2px 12px;padding:9px 14px;border-top:1px solid var(--line)}
 .stack tbody tr:first-child{border-top:0}
 .stack th,.stack td{display:block;padding:0;border:0}
 .stack .wide{grid-column:1/-1}
 .stack td:empty{display:none}
 .stack .aside{order:-1;grid-column:2;grid-row:1}
 .fold>summary .counts{display:block;margin:2px 0 0 1em}
 th,td{padding:7px 12px}
 caption{padding:10px 14px}
}
@media print{
 :root{color-scheme:light}
 body{background:#fff}
 details::details-content{content-visibility:visible;block-size:auto}
 .contents{display:none}
 .card,.exchange{break-inside:avoid}
}
`

export const STYLES: string = [
  PALETTE_CSS,
  BASE,
  BANNER,
  PARTS,
  PLOT,
  CAPACITY_CSS,
  SERIES_CSS,
  NARROW,
]
  .join('\n')
  .replaceAll(/\n\s*/g, '\n')
  .trim()
