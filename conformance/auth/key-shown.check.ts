import { HEADER } from '../../contract/wire.ts'
import { TextFinder } from '../../harness/text-finder.ts'
import { type Exchange, invariant, showRequest, untested } from '../engine/kit.ts'
import { visibleText } from '../steps/allowlist-refusals.ts'
import { showsKey } from '../steps/shown-key.ts'

/** Exchanges that the finding names. */
const NAMED_MAX = 5

export const noKeyIsShown = invariant({
  id: 'auth.key-shown',
  title: 'no answer of the run shows a key',
  requirements: ['AUTH-07'],
  judge: ({ expect, history }) => {
    const answered = history.filter(({ response }) => response)
    if (answered.length === 0) untested('no request of the run was answered')
    const keys = new TextFinder()
    for (const secret of new Set(answered.flatMap(keyOf))) keys.add(secret, 'key', true)
    const showing = answered.filter((exchange) => showsKey(keys, visibleText(exchange)))
    const [first] = showing
    expect('AUTH-07').that(`a key in ${answered.length} answers`, {
      holds: showing.length === 0,
      expected: 'none in body and headers: a key is shown once, when it is created',
      observed: first ? `${showing.length} show one, first ${showRequest(first)}` : 'none',
      exchanges: showing.slice(0, NAMED_MAX),
      about: showing,
    })
  },
})

/** The key that a request was sent with. One that was never issued is no secret. */
function keyOf({ role, request }: Exchange): readonly string[] {
  if (role === 'none' || role === 'invented') return []
  return request.headers.flatMap(([name, value]) =>
    name.toLowerCase() === HEADER.apiKey.toLowerCase() ? [value] : [],
  )
}
