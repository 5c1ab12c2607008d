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

export function isSecretField(name: string): boolean {
  return SECRET_FIELDS.has(name.toLowerCase().replaceAll(/[-_]/g, ''))
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

/** The values of secret fields in a JSON message, without recursion: an answer may be nested deeper than the stack. */
export function* secretsIn(json: unknown): Generator<{ name: string; value: string }> {
  const rest: unknown[] = [json]
  while (rest.length > 0) {
    const value = rest.pop()
    if (value === null || typeof value !== 'object') continue
    for (const [name, each] of Object.entries(value)) {
      rest.push(each)
      if (!isSecretField(name)) continue
      for (const one of Array.isArray(each) ? (each as unknown[]) : [each])
        if ((typeof one === 'string' || typeof one === 'number') && !isMasked(String(one)))
          yield { name, value: String(one) }
    }
  }
}
