import { describe, expect, it } from 'vitest'
import { poorShares } from './decided-shares.ts'

const clean = { name: 'clean', decided: 400 } as const
const cleanWithoutGifts = { name: 'clean', decided: 370 } as const

describe('the share of checks that a variant decides', () => {
  it('is told by its poorest run, held against the richest of the clean service', () => {
    const rows = [
      clean,
      cleanWithoutGifts,
      { name: 'json-pretty', decided: 399 },
      { name: 'page-bare', decided: 400 },
      { name: 'page-bare', decided: 300 },
      { name: 'masked-null', decided: 200 },
    ] as const
    expect(poorShares(rows)).toEqual([
      { name: 'masked-null', decided: 200, clean: 400 },
      { name: 'page-bare', decided: 300, clean: 400 },
    ])
  })

  it('is not known without a run of the clean service', () => {
    expect(poorShares([{ name: 'page-bare', decided: 1 }])).toEqual([])
  })
})
