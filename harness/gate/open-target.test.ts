import { expect, test } from 'vitest'
import { openTarget } from './open-target.ts'
import { parseRunOptions } from './options.ts'

const KEY = { ORDERING_KEY: 'a-key-0123456789abcdef' }

test.each([
  ['https://orders.example', '0', 1],
  ['https://orders.example', '1', 0],
  ['https://orders.example', undefined, 0],
  ['http://orders.example', '0', 0],
])('%s with NODE_TLS_REJECT_UNAUTHORIZED=%s: %i hazards', async (baseUrl, value, count) => {
  const options = parseRunOptions('conformance', ['--base-url', baseUrl])
  const env = { ...KEY, NODE_TLS_REJECT_UNAUTHORIZED: value }
  await using opened = await openTarget(options, env, () => {})
  const told = opened.hazards.filter((hazard) => hazard.includes('certificate'))
  expect(told).toHaveLength(count)
})

test.each([
  ['--environment', 'production'],
  ['--client-cert', 'none.pem'],
  ['--capability', 'base'],
  ['--ipv6'],
])(
  '%s without a target is refused: the embedded service would pass in its place',
  async (...argv) => {
    const options = parseRunOptions('conformance', argv)
    await expect(openTarget(options, {}, () => {})).rejects.toThrow(
      `${argv[0]} was given without a target`,
    )
  },
)
