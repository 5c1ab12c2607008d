/** Marks of the capacity plot. */
export const CAPACITY_CSS = `
.capacity .mark-good,.key .mark-good{fill:var(--pass)}
.plot .mark-bad,.key .mark-bad{stroke:var(--fail);stroke-width:2.4;stroke-linecap:round;fill:none}
.capacity .mark-open,.key .mark-open{fill:var(--card);stroke:var(--inconclusive);stroke-width:1.8}
.capacity .mark-ring,.key .mark-ring{fill:none;stroke:var(--ink);stroke-width:1.4}
.capacity .knee-band,.key .knee-band{fill:var(--observed-tint)}
.capacity .knee{stroke:var(--observed);stroke-width:1.8}
.steps th[scope=row]{white-space:nowrap}
.capacity-figure{font-size:1.6rem;line-height:1.2;font-weight:700;letter-spacing:-.01em}
`
