import { BUYER_SCOPES } from '../../contract/capabilities.ts'
import { textOfIp } from '../../harness/judge/addresses.ts'
import type { Api } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  makerOf,
  needSuccess,
  onlyWithControlSide,
  showAnswer,
} from '../engine/kit.ts'
import { ipv4Callers } from '../steps/allowlist-callers.ts'
import { BROWSE } from '../steps/allowlist-refusals.ts'

export const everyCall = check({
  id: 'allowlist.every-call',
  title: 'each call is held to the list by its own address, whatever the key was answered before',
  requirements: ['ALLOW-02', 'ALLOW-03'],
  needs: {
    capabilities: ['allowlist', 'catalog'],
    roles: ['full'],
    ofKeysOfFile: onlyWithControlSide('a key for one of two addresses'),
  },
  run: async (context) => {
    const { api, expect } = context
    const [listed, other] = await ipv4Callers(context)
    if (!listed || !other)
      inapplicable('the machine calls this target from one address only, so no key changes places')
    for (const { options } of [listed, other])
      needSuccess(await api.as('full').listServices(BROWSE, options))
    const own = { scopes: BUYER_SCOPES, allowlist: [textOfIp(listed.address)] }
    const keys = (await makerOf(context)({ keys: [own, own] })) as readonly [Api, Api]
    // What came first must not decide: one key starts inside of its list, the other outside.
    for (const [key, callers] of [
      [keys[0], [listed, other, listed]],
      [keys[1], [other, listed, other]],
    ] as const)
      for (const [turn, caller] of callers.entries()) {
        const isListed = caller === listed
        const exchange = await key.listServices(BROWSE, caller.options)
        const address = textOfIp(caller.address)
        expect(isListed ? 'ALLOW-03' : 'ALLOW-02').that(
          `call ${turn + 1} of a key, from ${address}, which is ${isListed ? '' : 'not '}in its list`,
          {
            holds: exchange.response?.status === (isListed ? 200 : 403),
            expected: isListed ? 'HTTP 200' : 'HTTP 403',
            observed: showAnswer(exchange),
            exchanges: [exchange],
          },
        )
      }
  },
})
