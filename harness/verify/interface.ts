/** Whether it is this interface, whose clock it has, and what address it sees. Pure. */
import type { Exchange } from '../client/exchange.ts'
import { headerValue } from '../client/headers.ts'
import { clockSkew } from '../gate/preflight.ts'
import { strangerStep, unreachable } from '../gate/unreachable.ts'
import { ipsIn, isSameIp, parseIp, textOfIp } from '../judge/addresses.ts'
import { selectOne } from '../target-file/select.ts'
import type { Target } from '../target-file/target.ts'
import { answerText, isAccepted, statusOf } from './asker.ts'
import { fail, notTried, pass, warn, type Layer } from './layer.ts'
import type { Answers } from './questions.ts'

const SKEW_SECONDS_MAX = 2

export function interfaceLayer({ baseUrl }: Target, answers: Answers): Layer {
  const name = 'interface'
  const { whoami } = answers
  if (!whoami) return notTried(name, 'nothing could be asked')
  if (whoami.error) {
    const { message, nextStep } = unreachable(whoami.error, baseUrl)
    return fail(name, message.replace(baseUrl, 'it'), nextStep)
  }
  if (!answers.isInterface) return stranger(name, baseUrl, whoami)
  const asked = { whoami, listServices: answers.services, rateLimits: answers.rateLimits }
  const lost = Object.entries(asked).filter(([, each]) => statusOf(each) === 404)
  if (lost.length === 0)
    return pass(name, `answers are envelopes (GET /whoami: ${answerText(whoami)})`)
  const names = lost.map(([operation]) => operation).join(', ')
  return warn(
    name,
    `envelopes, but HTTP 404 for ${names}`,
    `Give operations.<name>.path in the target file, or correct the path of the base URL; npm run init looks for them.`,
  )
}

function stranger(name: string, baseUrl: string, whoami: Exchange): Layer {
  const status = statusOf(whoami) ?? 0
  const body = whoami.response?.body ?? ''
  const shown = headerValue(whoami, 'location') ?? body.replaceAll(/\s+/g, ' ').slice(0, 80)
  const server = headerValue(whoami, 'server')
  const told = `GET /whoami: HTTP ${status}, ${shown || 'no body'}${server ? `, server ${server}` : ''}`
  return fail(
    name,
    `another service answers: no answer is an envelope (${told})`,
    strangerStep(whoami, baseUrl),
  )
}

export function clockLayer(exchanges: readonly Exchange[]): Layer {
  const name = 'clock'
  const skew = clockSkew(exchanges)
  if (!skew) return notTried(name, 'no answer carried a Date that can be read')
  const seconds = Math.min(Math.abs(skew.min), Math.abs(skew.max)) / 1000
  const isApart = skew.min * skew.max > 0 && seconds > SKEW_SECONDS_MAX
  if (!isApart) return pass(name, 'both clocks agree, as far as a Date of whole seconds shows it')
  const way = skew.min > 0 ? 'ahead of' : 'behind'
  return warn(
    name,
    `the clock of the target is ${durationText(seconds)} ${way} ours`,
    'Set the clock that is wrong; times of orders and expiry of keys and certificates are read with it.',
  )
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** Which address the service takes for ours, held against the one that we sent from. */
export function addressLayer(target: Target, { whoami }: Answers, isProxied: boolean): Layer {
  const name = 'whoami'
  if (!isAccepted(whoami)) return notTried(name, `GET /whoami: ${answerText(whoami)}`)
  const selector = target.operations.whoami.selectors['address']
  const selected = selector === undefined ? undefined : selectOne(selector, whoami?.json)
  if (selector !== undefined && typeof selected !== 'string')
    return warn(
      name,
      `the selector address (${selector}) finds no text`,
      'Correct operations.whoami.selectors.address: npm run try -- whoami shows the answer.',
    )
  const found = selected === undefined ? ipsIn(whoami?.response?.body ?? '') : []
  const seen = selected === undefined ? found[0]?.address : parseIp(selected as string)
  if (!seen)
    return warn(
      name,
      'no address stands in its answer',
      'Give operations.whoami.selectors.address: npm run try -- whoami shows the answer.',
    )
  const text = textOfIp(seen)
  if (isProxied) return pass(name, `it sees ${text}, which is the proxy's; allowlists must hold it`)
  const { connection = '' } = whoami?.response ?? {}
  const ours = parseIp(connection.replace(/:\d+$/, ''))
  if (isSameIp(seen, ours)) return pass(name, `it sees ${text}, the address that we send from`)
  const from = ours ? textOfIp(ours) : 'an unknown address'
  return pass(
    name,
    `it sees ${text}, we send from ${from}: addresses are translated on the way; allowlists must hold ${text}`,
  )
}
