/** Exit 3: the target was there when the run began, and is not when it ends. What answers in its place is not judged. */
import { describe, expect, test } from 'vitest'
import { shortLimits } from '../../harness/test-server/short-limits.ts'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { expectNotGreen } from './command-line.ts'
import { run } from './here.ts'
import { frontedService, targetOnDisk, type Answer, type Passing } from './servers.ts'

const PREFLIGHT_REQUESTS = 4
/** So many answers of the target itself before something else answers. */
const ANSWERS = PREFLIGHT_REQUESTS + 1

const REFUSED: Answer = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  body: '{"status":"CANCELLED","statusCode":9,"statusMessage":"revoked","traceId":"t"}',
}

async function runBehind(
  instead: (request: Passing) => Partial<Answer>,
  { answers = ANSWERS, only = 'auth.unknown-key,auth.scopes-suffice' } = {},
): Promise<RunRecord> {
  let answered = 0
  await using service = await frontedService(
    (request) => {
      answered += 1
      return answered > answers ? instead(request) : 'pass'
    },
    { limits: shortLimits(1) },
  )
  await using target = await targetOnDisk(service.baseUrl, (file) => ({
    ...file,
    control: undefined,
  }))
  const ended = await run('conformance', ['--target', target.file, '--only', only], target.env)
  return await expectNotGreen(ended, 3)
}

describe.concurrent('a run at whose end', () => {
  test.each([
    ['a login page answers', { status: 200, body: '<html>Sign in</html>' }, 'HTTP 200, <html>'],
    ['a gateway answers', { status: 503, body: 'upstream unavailable' }, 'HTTP 503, upstream'],
    ['everything is redirected', { status: 302, headers: { location: '/login' } }, 'no body'],
  ])('%s blames no requirement', async (_what, instead, words) => {
    const record = await runBehind(() => instead)
    expect(record.exitReason).toMatch(/E_ENVIRONMENT_LOST.*as this interface at first and does so/)
    expect(record.exitReason).toContain(words)
    expect(record.nextStep).toContain('proxy')
    expect(record.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(record.checks.some(({ verdict }) => verdict === 'inconclusive')).toBe(true)
  })

  test('the key is refused, which was taken at first, blames no requirement', async () => {
    const record = await runBehind(() => REFUSED)
    expect(record.exitReason).toMatch(/E_ENVIRONMENT_KEY.*took the key at first and refuses it now/)
    expect(record.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  })

  test('the target answers again, whose silence ended the checks, is told so', async () => {
    let answered = 0
    await using service = await frontedService(
      ({ url }) => {
        answered += 1
        if (answered <= 100 || url.startsWith('/whoami')) return 'pass'
        throw new Error('ends the connection')
      },
      { limits: shortLimits(1) },
    )
    await using target = await targetOnDisk(service.baseUrl)
    const ended = await run(
      'conformance',
      ['--target', target.file, '--only', 'limits.window-listing,limits.window-filtered,unhide'],
      target.env,
    )
    const record = await expectNotGreen(ended, 3)
    expect(record.exitReason).toMatch(/E_ENVIRONMENT_LOST.*and answers again now/)
    expect(record.nextStep).toContain('restart')
    expect(record.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  })

  test('the key is refused, which was taken at first, has ended its checks', async () => {
    const record = await runBehind(() => REFUSED, { answers: 100, only: 'auth,limits,envelope' })
    expect(record.exitReason).toMatch(/E_ENVIRONMENT_KEY.*took the key at first and refuses it now/)
    expect(JSON.stringify(record.checks)).toContain('the target refuses the key now')
  })
})
