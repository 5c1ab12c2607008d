import { expect, test } from 'vitest'
import { SURFACES, TONES } from './palette.ts'

/** Contrast that WCAG 2 asks of ordinary text (level AA). */
const CONTRAST_MIN = 4.5

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

test.for(['light', 'dark'] as const)('every text can be read on its ground in %s', (scheme) => {
  const grounds = [SURFACES.page, SURFACES.card, SURFACES.code].map((surface) => surface[scheme])
  const tints = Object.values(TONES).map((tone) => tone[scheme].tint)
  const pairs = [
    ...[SURFACES.ink, SURFACES.muted, SURFACES.link].flatMap((text) =>
      [...grounds, ...tints].map((ground) => [text[scheme], ground] as const),
    ),
    ...Object.values(TONES).flatMap((tone) =>
      [...grounds, tone[scheme].tint].map((ground) => [tone[scheme].ink, ground] as const),
    ),
  ]
  const poor = pairs.filter(([text, ground]) => contrast(text, ground) < CONTRAST_MIN)
  expect(poor).toEqual([])
})
