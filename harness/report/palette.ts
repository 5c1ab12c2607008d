/** Colours of the report, light and dark. A test holds every text pair to WCAG AA (4.5:1). */
import type { Verdict } from '../../schemas/generated/run-record.ts'

export const SURFACES = {
  page: { light: '#f6f6f4', dark: '#131518' },
  card: { light: '#ffffff', dark: '#1b1e23' },
  code: { light: '#f3f4f5', dark: '#15181c' },
  ink: { light: '#1c1f24', dark: '#e4e6ea' },
  muted: { light: '#59616c', dark: '#9aa3af' },
  line: { light: '#dddfe3', dark: '#31363e' },
  link: { light: '#1a5a9e', dark: '#82b8f2' },
} as const

export type Tone = {
  readonly light: { readonly ink: string; readonly tint: string }
  readonly dark: { readonly ink: string; readonly tint: string }
}

export const TONES: Readonly<Record<Verdict, Tone>> = {
  pass: {
    light: { ink: '#17683d', tint: '#e4f3ea' },
    dark: { ink: '#63cf95', tint: '#16291f' },
  },
  warn: {
    light: { ink: '#7d5200', tint: '#fbf1da' },
    dark: { ink: '#eebb5d', tint: '#2d2512' },
  },
  fail: {
    light: { ink: '#b0261e', tint: '#fcebe9' },
    dark: { ink: '#ff8f86', tint: '#351b1b' },
  },
  error: {
    light: { ink: '#97236c', tint: '#faeaf4' },
    dark: { ink: '#f391cd', tint: '#331a2b' },
  },
  inconclusive: {
    light: { ink: '#6244ad', tint: '#efeafb' },
    dark: { ink: '#b9a3f5', tint: '#241f38' },
  },
  untested: {
    light: { ink: '#4a5b70', tint: '#eaeef3' },
    dark: { ink: '#a9b9cd', tint: '#212831' },
  },
  observed: {
    light: { ink: '#1a5f87', tint: '#e5f1f8' },
    dark: { ink: '#7cc3ea', tint: '#16272f' },
  },
  inapplicable: {
    light: { ink: '#666b73', tint: '#eeeff0' },
    dark: { ink: '#989ea8', tint: '#23262a' },
  },
}

function declarations(scheme: 'light' | 'dark'): string {
  const surfaces = Object.entries(SURFACES).map(([name, colour]) => `--${name}:${colour[scheme]}`)
  const tones = Object.entries(TONES).map(
    ([name, tone]) => `--${name}:${tone[scheme].ink};--${name}-tint:${tone[scheme].tint}`,
  )
  return [...surfaces, ...tones].join(';')
}

/** Custom properties of both schemes, and one class per tone that sets `--tone` and `--tint`. */
export const PALETTE_CSS: string = [
  `:root{color-scheme:light dark;${declarations('light')}}`,
  `@media screen and (prefers-color-scheme:dark){:root{${declarations('dark')}}}`,
  ...Object.keys(TONES).map((name) => `.${name}{--tone:var(--${name});--tint:var(--${name}-tint)}`),
].join('\n')
