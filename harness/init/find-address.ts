/** Where whoami says the caller's address. Pure. */
import { isSameIp, parseIp, type IpAddress } from '../judge/addresses.ts'
import { excerptOf, placesOf, selectorOf, selectorProposal, type Proposal } from './places.ts'

export function findAddress(json: unknown, ours: IpAddress | undefined): Proposal[] {
  const addresses = placesOf(json).flatMap((place) => {
    const address = typeof place.value === 'string' ? parseIp(place.value) : undefined
    return address ? [{ ...place, isOurs: isSameIp(address, ours) }] : []
  })
  const best = addresses.find(({ isOurs }) => isOurs)
  const only = addresses.length === 1 ? addresses[0] : undefined
  const found = best ?? only
  if (!found) return []
  return [
    selectorProposal('whoami', 'address', selectorOf(found.path), {
      excerpt: excerptOf([found.value]),
      why: best ? 'the address that we send from' : 'the only address in the answer',
      certainty: best ? 'sure' : 'likely',
    }),
  ]
}
