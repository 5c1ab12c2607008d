/** Which fields hold goods or credentials, by their names, and how their values are taken out of a text. */

/** Interface: Voucher, EsimActivation, quotes, keys; and what credentials are called elsewhere. Without case and separators. */
const SECRET_FIELDS = new Set([
  'pin',
  'serialnumber',
  'vouchercode',
  'redeemcode',
  'qrcodetext',
  'iccid',
  'activationcode',
  'iosinstallurl',
  'androidinstallurl',
  'quotetoken',
  'xapikey',
  'apikey',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'secret',
  'clientsecret',
  'secretkey',
  'privatekey',
  'password',
  'token',
  'accesstoken',
  'refreshtoken',
])

/** Clear characters that a masked value may show. */
const CLEAR_CHARACTERS_MAX = 4

/** Every answer has the same few names. Those of a hostile answer are not kept without end. */
const known = new Map<string, boolean>()
const KNOWN_MAX = 5_000

export function isSecretField(name: string): boolean {
  const answer = known.get(name)
  if (answer !== undefined) return answer
  if (known.size >= KNOWN_MAX) known.clear()
  const isSecret = SECRET_FIELDS.has(name.toLowerCase().replaceAll(/[-_]/g, ''))
  known.set(name, isSecret)
  return isSecret
}

/** `****1234` protects its value already, and is evidence; `1234` alone is a short code in clear. */
export function isMasked(value: string): boolean {
  if (value === '') return true
  const clear = value.replaceAll(/[*•xX#\s-]/g, '')
  return /[*•#]|xx/i.test(value) && clear.length <= CLEAR_CHARACTERS_MAX
}

/** `"name": "value"` or `"name": 123`, also where the JSON stands in a text of JSON itself, and where the text ends too early. */
const JSON_MEMBER =
  /(\\*")([A-Za-z_-]{3,24})\1(\s*:\s*)(?:"((?:[^"\\]|\\.)*)(?:"|$)|\\+"(.*?)(?:\\+"|$)|(-?\d[\d.]*))/gs

/** `?name=value` of a URL or a form. */
const QUERY_MEMBER = /([?&])([A-Za-z_-]{3,24})=([^&#\s"'<>]+)/g

/** Takes the values of secret fields out of a text, whatever their length. */
export function withoutSecretFields(text: string): string {
  return text
    .replace(JSON_MEMBER, (whole: string, quote: string, name: string, colon: string, ...found) => {
      const [plain, nested, numeric] = found as (string | undefined)[]
      const value = plain ?? nested ?? numeric ?? ''
      if (!isSecretField(name) || isMasked(value)) return whole
      return `${quote}${name}${quote}${colon}${quote}«${name}»${quote}`
    })
    .replace(QUERY_MEMBER, (whole: string, start: string, name: string, value: string) =>
      isSecretField(name) && !isMasked(value) ? `${start}${name}=«${name}»` : whole,
    )
}

/** Members that the interface gives the result of an order; a result without any of them is a supplier's raw payload. */
const RESULT_MEMBERS = ['attributes', 'esim', 'platformGift', 'vouchers']

/** Texts of a raw eSIM payload that are long enough to be an activation: its field names are the supplier's own. */
const PAYLOAD_TEXT_LENGTH_MIN = 12

/** An eSIM activation code as GSMA writes it, wherever it stands. */
const ACTIVATION = /^LPA:/i

type Part = { readonly value: object; readonly isPayload: boolean }

type Secret = { readonly name: string; readonly value: string }

/** The values of secret fields in a JSON message, without recursion: an answer may be nested deeper than the stack. */
export function secretsIn(json: unknown): Secret[] {
  const found: Secret[] = []
  const rest: Part[] = isContainer(json) ? [{ value: json, isPayload: false }] : []
  for (let part = rest.pop(); part; part = rest.pop()) {
    const members = part.value as Readonly<Record<string, unknown>>
    for (const name of Object.keys(members)) {
      const value = members[name]
      const isPayload = part.isPayload || name === 'esim' || isRawResult(name, value)
      if (isContainer(value)) rest.push({ value, isPayload })
      if (!Array.isArray(value)) noteSecret(found, name, value, isPayload)
      else for (const one of value as unknown[]) noteSecret(found, name, one, isPayload)
    }
  }
  return found
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function noteSecret(found: Secret[], name: string, value: unknown, isPayload: boolean): void {
  if (isSecretValue(name, value, isPayload) && !isMasked(String(value)))
    found.push({ name, value: String(value) })
}

function isSecretValue(name: string, value: unknown, isInPayload: boolean): boolean {
  if (typeof value === 'number') return isSecretField(name)
  if (typeof value !== 'string') return false
  if (isSecretField(name) || ACTIVATION.test(value)) return true
  return isInPayload && value.length >= PAYLOAD_TEXT_LENGTH_MIN
}

function isRawResult(name: string, value: unknown): boolean {
  if (name !== 'result' || typeof value !== 'object' || value === null) return false
  return !RESULT_MEMBERS.some((member) => member in value)
}
