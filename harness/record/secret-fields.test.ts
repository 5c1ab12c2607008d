import { describe, expect, it } from 'vitest'
import { secretsIn } from './secret-fields.ts'

const found = (json: unknown): string[] =>
  [...new Set(secretsIn(json).map(({ value }) => value))].toSorted()

describe('secrets in a message', () => {
  it('are the goods by their names, at any depth', () => {
    expect(found({ data: { result: { vouchers: [{ pin: 'ABCD-1234-EFGH' }] } } })).toEqual([
      'ABCD-1234-EFGH',
    ])
  })

  it('are the texts of a raw eSIM payload, whatever its supplier calls them', () => {
    const raw = { profile: { install: 'LPA:1$smdp.example$K2-ABCDEF', plan: 'short' } }
    expect(found({ data: { result: { esim: raw } } })).toEqual(['LPA:1$smdp.example$K2-ABCDEF'])
    expect(found({ data: { result: { installer: 'a-long-supplier-text' } } })).toEqual([
      'a-long-supplier-text',
    ])
    expect(found({ anywhere: ['LPA:1$smdp.example$K2'] })).toEqual(['LPA:1$smdp.example$K2'])
  })

  it('are not masked values, nor ordinary fields', () => {
    expect(
      found({
        pin: '****1234',
        orderId: 'ord-0123456789abcdef',
        result: { vouchers: [], note: 'a longer remark' },
      }),
    ).toEqual([])
  })

  it('are found however deep', () => {
    let json: unknown = { pin: 'ABCD-1234' }
    for (let depth = 0; depth < 50_000; depth++) json = [json]
    expect(found({ json })).toEqual(['ABCD-1234'])
  })
})
