import { isSameIp, ipsIn, textOfIp, type IpAddress } from '../../harness/judge/addresses.ts'
import type { CallOptions, CheckContext } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { observeShownAllowlist } from '../steps/hygiene.ts'
import { callersFrom, FIRST_OF_NETWORKS, knownHome, toldBy } from '../steps/allowlist-callers.ts'
import { needMessage, needRefusal } from '../steps/allowlist-refusals.ts'
import { observeProbes, PREFIXED } from '../steps/observed-probes.ts'

export const whoamiTellsAddress = check({
  id: 'allowlist.whoami-address',
  formerIds: ['answers.whoami'],
  title: '/whoami answers, with the address of the caller',
  requirements: ['WHO-01'],
  needs: { roles: ['full'], rolesIfKnown: ['allowed'] },
  run: async (context) => {
    const { api, expect, observe } = context
    const home = await knownHome(context)
    // Another address of the same machine, where there is one: an answer that never changes would not do.
    const others = (await callersFrom(context, [FIRST_OF_NETWORKS])) ?? []
    for (const { options, address } of home
      ? [home, ...others]
      : [{ options: {}, address: undefined }]) {
      const exchange = await api.as('full').whoami(options)
      const told = isAccepted(exchange) ? toldBy(context, exchange) : []
      expect('WHO-01').that('/whoami gives the address that the call came from', {
        holds: address ? told.some((each) => isSameIp(each, address)) : told.length > 0,
        expected: address ? textOfIp(address) : 'an IP address',
        observed: showAddresses(told) || showAnswer(exchange),
        exchanges: [exchange],
      })
      observe('OPEN-14', showAnswer(exchange), [exchange])
    }
    await aside(() => observeShownAllowlist(context))
    await aside(() => observeProbes(context, PREFIXED))
  },
})

function showAddresses(addresses: readonly IpAddress[]): string {
  return addresses.map(textOfIp).join(', ')
}

/** For documentation only (RFC 5737): nobody's address. */
const FOREIGN = '192.0.2.77'

export const whoamiAgreesWithRefusal = check({
  id: 'allowlist.whoami-agrees',
  title: 'the address that /whoami gives is the one that an allowlist 403 names',
  requirements: ['WHO-02'],
  needs: { capabilities: ['allowlist', 'catalog'], roles: ['full', 'blocked'] },
  run: async (context) => {
    const home = (await knownHome(context))?.options ?? {}
    await expectAgreement(context, home)
    // A header that any peer can set counts for both or for neither.
    await expectAgreement(context, { ...home, headers: { 'x-forwarded-for': FOREIGN } })
  },
})

async function expectAgreement(context: CheckContext, options: CallOptions): Promise<void> {
  const exchange = needSuccess(await context.api.as('full').whoami(options))
  const refused = await needRefusal(context, options)
  const told = toldBy(context, exchange)
  const message = needMessage(refused)
  const named = ipsIn(message).map(({ address }) => address)
  if (named.length === 0) untested(`the 403 names no address: ${message}`)
  context.expect('WHO-02').that('/whoami and the allowlist 403 give one address', {
    holds: told.some((each) => named.some((other) => isSameIp(each, other))),
    expected: `${showAddresses(named)}, as the 403 says`,
    observed: showAddresses(told) || showAnswer(exchange),
    exchanges: [exchange, refused],
  })
}
