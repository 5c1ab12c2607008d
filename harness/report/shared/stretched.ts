import { Markup, markup } from './markup.ts'

/** How wide the drawings of plots are, in units of their own: they are stretched to the width of the page. */
export const UNITS_WIDE = 10_000

export function stretched(y: number, height: number, content: (Markup | undefined)[]): Markup {
  return markup`<svg y="${y}" width="100%" height="${height}" viewBox="0 0 ${UNITS_WIDE} ${height}" preserveAspectRatio="none" overflow="visible">${content}</svg>`
}

/** Path data is made of numbers here, so it needs no escaping and may be longer than the cap on text. */
export function path(className: string, data: string): Markup | undefined {
  return data === '' ? undefined : markup`<path class="${className}" d="${new Markup(data)}"/>`
}
