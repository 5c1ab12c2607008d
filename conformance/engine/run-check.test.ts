import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../harness/client/exchange.ts'
import { suiteRun } from '../../test/support/suite-run.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { check, invariant, type CheckContext, type CheckDefinition } from './check.ts'
import { inapplicable, inconclusive, Undecided, untested } from './undecided.ts'

type Outcome = Awaited<ReturnType<typeof virtualRun>>['outcomes'][number]

async function outcomeOf(
  definition: Partial<CheckDefinition>,
  options: Parameters<typeof virtualRun>[0] = {},
): Promise<Outcome> {
  const { outcomes } = await virtualRun({
    ...options,
    isWritten: true,
    checks: [
      check({
        id: 'engine.sample',
        title: 'a sample',
        requirements: ['AUTH-01'],
        needs: { roles: ['full'] },
        run: () => Promise.resolve(),
        ...definition,
      }),
    ],
    invariants: [],
  })
  return outcomes[0] as Outcome
}

function unreadable(): never {
  throw new RangeError('Maximum call stack size exceeded')
}

function claim(context: CheckContext, holds: boolean, exchanges: readonly Exchange[] = []): void {
  context
    .expect('AUTH-01')
    .that('something', { holds, expected: 'yes', observed: holds ? 'yes' : 'no', exchanges })
}

describe('the verdict of a check', () => {
  it('is pass when every requirement that it names has a finding and none is broken', async () => {
    const { check: result } = await outcomeOf({
      run: (context) => {
        claim(context, true)
        return Promise.resolve()
      },
    })
    expect(result).toMatchObject({
      verdict: 'pass',
      expected: 'yes',
      observed: 'yes',
      area: 'engine',
    })
  })

  it('is error, never pass, when a requirement that it names was not looked at', async () => {
    const { check: result } = await outcomeOf({})
    expect(result.verdict).toBe('error')
    expect(result.reason).toContain('AUTH-01')
  })

  it.each([
    ['untested', 'the run was interrupted', new Error('the run was interrupted')],
    ['inconclusive', 'the target is lost', new Undecided('inconclusive', 'the target is lost')],
  ] as const)('is %s for what was under way when %s', async (verdict, reason, given) => {
    const stop = new AbortController()
    const run = (): Promise<void> => {
      stop.abort(given)
      return Promise.reject(new Error('ECONNRESET'))
    }
    const { check: result } = await outcomeOf({ run }, { signal: stop.signal })
    expect(result).toMatchObject({ verdict, reason })
  })

  it('stays fail where the check itself breaks after the broken finding, and tells both', async () => {
    const { check: result } = await outcomeOf({
      run: (context) => {
        claim(context, false)
        throw new TypeError('x is no function')
      },
    })
    expect(result).toMatchObject({ verdict: 'fail', observed: 'no' })
    expect(result.reason).toContain('x is no function')
  })

  it.each([
    [true, 'error'],
    [false, 'fail'],
  ] as const)(
    'where what was seen cannot be written down (holds: %s) is %s',
    async (holds, verdict) => {
      const { check: result, exchanges } = await outcomeOf({
        run: async (context) => {
          const exchange = await context.api.as('full').whoami()
          Object.defineProperty(exchange, 'response', { get: unreadable })
          claim(context, holds, [exchange])
        },
      })
      expect(result).toMatchObject({ verdict, observed: 'it could not be written down' })
      expect(result.reason).toContain('Maximum call stack')
      expect(exchanges).toEqual([])
    },
  )

  it('stays fail whatever comes after the broken finding', async () => {
    const { check: result } = await outcomeOf({
      run: (context) => {
        claim(context, false)
        claim(context, true)
        untested('too late')
      },
    })
    expect(result).toMatchObject({ verdict: 'fail', observed: 'no' })
  })

  it.each([
    ['untested', () => untested('no ground')],
    ['inconclusive', () => inconclusive('noise')],
    ['inapplicable', () => inapplicable('configured otherwise')],
  ] as const)('is %s when it ends so, although something held before', async (verdict, end) => {
    const { check: result } = await outcomeOf({
      run: (context) => {
        claim(context, true)
        return end()
      },
    })
    expect(result.verdict).toBe(verdict)
    expect(result.reason).toMatch(/no ground|noise|configured otherwise/)
  })

  it('is error when the check itself breaks, or judges what it does not name', async () => {
    const broken = await outcomeOf({ run: () => Promise.reject(new TypeError('oops')) })
    expect(broken.check).toMatchObject({ verdict: 'error' })
    expect(broken.check.reason).toContain('oops')
    const smuggled = await outcomeOf({
      run: (context) => {
        context
          .expect('AUTH-02')
          .that('x', { holds: true, expected: '', observed: '', exchanges: [] })
        return Promise.resolve()
      },
    })
    expect(smuggled.check.reason).toContain('does not name')
  })

  it('is untested or inapplicable when a need is not there, with what is missing', async () => {
    const lacking = await outcomeOf({
      needs: { products: ['platform-gift'], orderKinds: ['platform-gift'] },
    })
    expect(lacking.check.verdict).toBe('untested')
    expect(lacking.check.reason).toContain('platform-gift')
    const undeclared = await outcomeOf({ needs: { capabilities: ['platform-gift'] } })
    expect(undeclared.check).toMatchObject({
      verdict: 'inapplicable',
      reason: 'the target does not declare platform-gift',
    })
  })

  it('warns where only something typical is missed', async () => {
    const { check: result } = await outcomeOf({
      requirements: ['BUSY-03'],
      run: (context) => {
        context
          .expect('BUSY-03')
          .that('x', { holds: false, expected: '1', observed: '9', exchanges: [] })
        return Promise.resolve()
      },
    })
    expect(result.verdict).toBe('warn')
  })

  it('keeps the exchanges that findings name, redacted, with a curl', async () => {
    const { check: result, exchanges } = await outcomeOf({
      run: async (context) => claim(context, false, [await context.api.as('full').whoami()]),
    })
    expect(result.exchanges).toEqual(exchanges.map(({ id }) => id))
    expect(exchanges[0]?.curl).toContain('$ORDERING_KEY_FULL')
    expect(exchanges[0]?.requestHeaders).toContainEqual(['x-api-key', '«x-api-key»'])
  })
})

describe('an invariant', () => {
  it('sees every exchange of the run and is judged like a check', async () => {
    let seen = 0
    const { outcomes } = await virtualRun({
      checks: [
        check({
          id: 'engine.sample',
          title: 'a sample',
          requirements: ['AUTH-01'],
          needs: { roles: ['full'] },
          run: async (context) => claim(context, true, [await context.api.as('full').whoami()]),
        }),
      ],
      invariants: [
        invariant({
          id: 'engine.all',
          title: 'all',
          requirements: ['ENV-01'],
          judge: ({ history }) => {
            seen = history.length
          },
        }),
      ],
    })
    expect(seen).toBe(1)
    expect(outcomes[1]?.check.verdict).toBe('error')
    expect(outcomes.map(({ check }) => check.repeat)).toEqual([
      'npm run conformance -- --only engine.sample',
      'npm run conformance -- --profile all',
    ])
  })
})

async function shared(
  holds: readonly boolean[],
  watch?: () => Promise<string | undefined>,
): Promise<Outcome> {
  let runs = 0
  const sample = check({
    id: 'engine.sample',
    title: 'a sample',
    requirements: ['AUTH-01'],
    needs: { roles: ['full'] },
    movedByOthers: { requirements: ['AUTH-01'], ...(watch && { watch }) },
    run: (context) => Promise.resolve(claim(context, holds[runs++] ?? false)),
  })
  const accounts = { shared: ['full'] } as const
  const { outcomes } = await suiteRun({ accounts, windowSeconds: 2, checks: [sample] })
  return outcomes[0] as Outcome
}

describe('a finding that others can cause on a shared account', () => {
  it('is a fault where it recurs and nobody moves the counter', async () => {
    const { check: result } = await shared([], () => Promise.resolve(undefined))
    expect(result.verdict).toBe('fail')
  })

  it.each([[[false, true]], [[false, false, true]]])('is none by %j', async (holds) => {
    const { check: result } = await shared(holds)
    expect(result.verdict).toBe('inconclusive')
    expect(result.reason).toContain('others may use this key or account')
    expect(result.findings[0]?.verdict).toBe('inconclusive')
  })

  it('is none where somebody moves the counter meanwhile', async () => {
    const { check: result } = await shared([], () => Promise.resolve('1.00 were used up'))
    expect(result.reason).toContain('1.00 were used up')
    expect(result.verdict).toBe('inconclusive')
  })
})

describe('the wrapper', () => {
  it('refuses a check that could decide nothing, or has an id of another form', () => {
    const base = { title: 'x', needs: {}, run: () => Promise.resolve() }
    expect(() => check({ ...base, id: 'a.b', requirements: [] })).toThrow('decide nothing')
    expect(() => check({ ...base, id: 'NoArea', requirements: ['AUTH-01'] })).toThrow(
      'area.behaviour',
    )
  })
})
