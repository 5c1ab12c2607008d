/** Lines of the plot of a run over time. */
export const SERIES_CSS = `
.plot .mark{paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}
.series .offered,.key .offered{stroke:var(--ink);stroke-width:1.4;stroke-dasharray:5 3}
.series .sent,.key .sent{stroke:var(--observed);stroke-width:1.2}
.plot .goal-line,.key .goal-line{stroke:var(--fail);stroke-width:1.4;stroke-dasharray:7 4}
.series .goal-series,.key .goal-series{stroke:var(--fail);stroke-width:1.4}
.series .achieved,.key .achieved{stroke:var(--pass);stroke-width:2.2}
.plot.series .refusals,.key .refusals{fill:var(--untested);fill-opacity:.45;stroke:none}
.plot.series .losses,.key .losses{fill:var(--fail);stroke:none}
.series .latency-p50,.key .latency-p50{stroke:var(--pass);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.series .latency-p99,.key .latency-p99{stroke:var(--observed);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.series .process{stroke:var(--accent,var(--observed));stroke-width:2}
.series .latency-max,.key .latency-max{stroke:var(--muted);stroke-width:4;stroke-linecap:round}
.latencies{overflow-x:auto}
.latencies th,.latencies td{overflow-wrap:normal;padding:6px 12px}
.latencies caption{padding:6px 12px}
@media (max-width:720px){
 .latencies th,.latencies td{padding:6px 5px}
 .latencies caption{padding:6px 5px}
}
`
