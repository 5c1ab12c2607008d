/** Exit 0, 1 and 6: what a target did decides, and is named in every file. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { describe, expect, test } from 'vitest'
import { expectNotGreen } from './command-line.ts'
import { run } from './here.ts'
import { frontedService, targetOnDisk } from './servers.ts'

describe.concurrent('the verdict on a target', () => {
  test('a clean pass of a selection: 0, and green in every file', async () => {
    const ended = await run('conformance', ['--only', 'auth.missing-key,AUTH-03'])
    expect(ended.code, ended.out + ended.err).toBe(0)
    const record = await ended.record()
    expect(record).toMatchObject({ exitCode: 0, verdict: 'pass', partial: false })
    const selected = ALL_CHECKS.filter(
      ({ id, requirements }) => id === 'auth.missing-key' || requirements.includes('AUTH-03'),
    )
    expect(selected.map(({ id }) => id)).toContain('auth.revoked-key')
    expect(record.checks.map(({ id, verdict }) => [id, verdict])).toEqual(
      selected
        .map(({ id }) => id)
        .toSorted()
        .map((id) => [id, 'pass']),
    )
    expect(await ended.file('junit.xml')).toMatch(/<testsuites [^>]*failures="0" errors="0"/)
  })

  test('a fault: 1, with requirement, source, expected, observed and curl in every file', async () => {
    const ended = await run('conformance', [
      '--only',
      'auth.revoked-key',
      '--fault',
      'revoked-key-accepted',
    ])
    const record = await expectNotGreen(ended, 1)
    const requirement = record.requirements.find(({ id }) => id === 'AUTH-03')
    expect(requirement?.verdict).toBe('fail')
    const [finding] = record.checks[0]?.findings.filter(({ verdict }) => verdict === 'fail') ?? []
    expect(finding).toMatchObject({ requirement: 'AUTH-03' })
    const exchange = record.exchanges.find(({ id }) => finding?.exchanges.includes(id))
    expect(exchange?.curl).toMatch(/^curl .*\$ORDERING_KEY_REVOKED/)
    const told = [
      'AUTH-03',
      requirement?.text ?? '?',
      requirement?.section ?? '?',
      finding?.expected ?? '?',
      finding?.observed.slice(0, 8) ?? '?',
      'curl -i',
    ]
    for (const file of ['index.html', 'junit.xml']) {
      const text = unescaped(await ended.file(file))
      for (const words of told) expect(text).toContain(words)
    }
    expect(ended.out).toContain('AUTH-03')
    expect(record.hazards).toContainEqual(expect.stringContaining('revoked-key-accepted'))
  })

  test('a requirement that no finding could apply to is not asked for: 0', async () => {
    await using service = await frontedService(undefined, { variants: ['esims-at-once'] })
    await using target = await targetOnDisk(service.baseUrl)
    const parameters = ['--target', target.file, '--only', 'esim.activation,esim.replay']
    const ended = await run('conformance', parameters, target.env)
    expect(ended.code, ended.out + ended.err).toBe(0)
    const { requirements } = await ended.record()
    expect(requirements.find(({ id }) => id === 'ESIM-06')).toMatchObject({
      verdict: 'inapplicable',
      reason: expect.stringContaining('the eSIM was issued before its purchase was sent again'),
    })
    expect(requirements.find(({ id }) => id === 'ESIM-08')?.verdict).toBe('pass')
  })

  test('a target that refuses for ever: 6', async () => {
    const refusal = JSON.stringify({
      status: 'CANCELLED',
      statusCode: 8,
      statusMessage: 'LIMIT_REACHED',
      traceId: 't',
    })
    await using service = await frontedService(({ url }) =>
      url.startsWith('/api/v1/services')
        ? { status: 429, headers: { 'retry-after': '0' }, body: refusal }
        : 'pass',
    )
    await using target = await targetOnDisk(service.baseUrl)
    const ended = await run(
      'conformance',
      ['--target', target.file, '--only', 'auth.forbidden-stays'],
      target.env,
    )
    const record = await expectNotGreen(ended, 6)
    expect(record.checks[0]?.reason).toMatch(/still answered 429 after \d+ attempts/)
    expect(record.nextStep).toContain('run again')
  })

  test('a route that is not there: 1, told once, and what it blocks by name', async () => {
    await using service = await frontedService(({ url }) =>
      url.startsWith('/carts') ? { status: 404, body: '<html>not found</html>' } : 'pass',
    )
    await using target = await targetOnDisk(service.baseUrl)
    const selection = [
      '--target',
      target.file,
      '--only',
      'cart.answer,cart.one-reference,cart.order-id-alone',
    ]
    const ended = await run('conformance', selection, target.env)
    const record = await expectNotGreen(ended, 1)
    const [cause, ...others] = record.causes ?? []
    expect(others).toEqual([])
    expect(cause).toMatchObject({ id: 'C1', kind: 'no-route', operations: ['createCart'] })
    const failed = record.requirements.filter(({ verdict }) => verdict === 'fail')
    expect(failed.map(({ id }) => id)).toEqual([cause?.requirement])
    for (const file of ['index.html', 'junit.xml', 'summary.md'])
      expect(unescaped(await ended.file(file))).toContain('answers HTTP 404 to all')
    expect(ended.out).toMatch(
      /C1 POST \/carts answers HTTP 404 to all \d+ requests; blocks \d+ checks/,
    )
  })

  test('answers that take about as long as a window: not decided, not green', async () => {
    let sent = 0
    await using service = await frontedService(
      async ({ url }) => {
        sent += 1
        if (url.startsWith('/api/v1/orders')) await sleep(sent % 2 === 0 ? 950 : 150)
        return 'pass' as const
      },
      { limits: { 'orders.list': { count: 2, windowSeconds: 1 } } },
    )
    await using target = await targetOnDisk(service.baseUrl)
    const ended = await run(
      'conformance',
      ['--target', target.file, '--only', 'limits.window-listing'],
      target.env,
    )
    const record = await expectNotGreen(ended, 6)
    expect(record.checks[0]?.verdict).toBe('inconclusive')
  })
})

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
