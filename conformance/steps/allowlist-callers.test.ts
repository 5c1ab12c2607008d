import { expect, test } from 'vitest'
import type { Transport } from '../../harness/client/exchange.ts'
import { embedInProcess } from '../../test/support/in-process.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import type { Check } from '../../schemas/generated/run-record.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../registry.ts'

/** Where the target sees a request come from, by the address of ours that it was sent from; undefined where it has no way there. */
type Seen = { readonly usual: string | undefined } & Readonly<
  Partial<Record<'::' | '0.0.0.0', string | undefined>>
>

type Wrong = {
  readonly faults?: readonly string[]
  readonly variants?: readonly VariantName[]
}

/** A target that is reached by name, and sees the harness as told. */
async function verdictOf(
  id: string,
  seen: Seen,
  { faults = [], variants = [] }: Wrong = {},
): Promise<Check | undefined> {
  const service = { variants }
  const embedded = embedInProcess({ faults, windowSeconds: 2, clock: new VirtualClock(), service })
  const target: Target = { ...embedded.target, kind: 'url', baseUrl: 'http://shop.invalid' }
  const network = (transport: Transport): Transport => ({
    ...transport,
    send: (request, hooks, signal) => {
      const { localAddress: from } = request
      const localAddress = from === '::' || from === '0.0.0.0' ? seen[from] : seen.usual
      if (localAddress !== undefined)
        return transport.send({ ...request, localAddress }, hooks, signal)
      return Promise.reject(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }))
    },
  })
  const checks = ALL_CHECKS.filter((check) => check.id === id)
  const { outcomes } = await virtualRun({
    faults,
    service,
    target,
    network,
    checks,
    invariants: [],
  })
  return outcomes[0]?.check
}

const IPV4 = '192.0.2.10'

test.each(['allowlist.ipv6-single', 'allowlist.ipv6-cidr'])(
  '%s is decided over IPv6 where the name has addresses of both families',
  async (id) => {
    const check = await verdictOf(id, { usual: IPV4, '::': '2001:db8:5f3:a0::c1' })
    expect(check?.verdict).toBe('pass')
  },
)

test('entries of IPv6 do not apply where the name has no such address', async () => {
  const check = await verdictOf('allowlist.ipv6-single', { usual: IPV4, '::': undefined })
  expect(check?.verdict).toBe('inapplicable')
  expect(check?.reason).toContain('shop.invalid is not reached over IPv6 from here (ENOTFOUND)')
})

const IPV6 = '2001:db8:5f3:a0::c1'

test.each(['allowlist.ipv4-single', 'allowlist.ipv4-cidr', 'allowlist.ipv4-wildcard'])(
  '%s is decided over IPv4 where the name has addresses of both families, and does not apply without',
  async (id) => {
    const both = await verdictOf(id, { usual: IPV6, '0.0.0.0': IPV4 })
    expect(both?.verdict).toBe('pass')
    const without = await verdictOf(id, { usual: IPV6 })
    expect(without?.verdict).toBe('inapplicable')
    expect(without?.reason).toContain('shop.invalid is not reached over IPv4 from here (ENOTFOUND)')
  },
)

test('an IPv6 entry that is compared as text is found over IPv6', async () => {
  const seen = { usual: IPV4, '::': '2001:db8:5f3:a0::c1' }
  const faults = ['allowlist-ipv6-compared-as-text']
  expect((await verdictOf('allowlist.ipv6-single', seen, { faults }))?.verdict).toBe('fail')
})

test.each([
  ['allowlist.ipv6-single', { usual: IPV4, '::': IPV4 }],
  ['allowlist.ipv4-single', { usual: IPV6, '0.0.0.0': IPV6 }],
] as const)(
  '%s does not apply where a proxy has an address of the other family alone',
  async (id, seen) => {
    const check = await verdictOf(id, seen)
    expect(check?.verdict).toBe('inapplicable')
    expect(check?.reason).toContain(`the target sees the harness at ${seen.usual} even if`)
  },
)

test('a service may believe a caller of its private network, as it would a proxy', async () => {
  const seen = { usual: '10.1.2.3', '::': undefined }
  const variants = ['local-proxy-trusted'] as const
  const check = await verdictOf('allowlist.forwarding-header', seen, { variants })
  expect(check?.verdict).toBe('inapplicable')
  expect(check?.reason).toContain('10.1.2.3')
})

test('a stranger that is believed is found', async () => {
  const seen = { usual: IPV4, '::': undefined }
  const faults = ['forwarded-for-trusted']
  expect((await verdictOf('allowlist.forwarding-header', seen, { faults }))?.verdict).toBe('fail')
  expect((await verdictOf('allowlist.forwarding-header', seen))?.verdict).toBe('pass')
})

test.each([IPV4, IPV6])(
  'a key that is to be let in gets a list with %s, where a proxy has that address',
  async (usual) => {
    expect((await verdictOf('allowlist.listed', { usual }))?.verdict).toBe('pass')
    const faults = ['allowlist-first-entry-only']
    expect((await verdictOf('allowlist.listed', { usual }, { faults }))?.verdict).toBe('fail')
  },
)
