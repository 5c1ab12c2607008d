/** Keeps secrets out of everything that a run writes: by the names of fields, and by value wherever the value turns up. */

/** Fields whose values are goods or credentials (interface: Voucher, EsimActivation, quotes, keys), compared without case and separators. */
const SECRET_FIELDS = new Set([
  'pin',
  'serialnumber',
  'qrcodetext',
  'iccid',
  'activationcode',
  'iosinstallurl',
  'androidinstallurl',
  'quotetoken',
  'xapikey',
  'apikey',
  'authorization',
  'cookie',
  'setcookie',
  'secret',
  'password',
  'token',
])

/** Shorter values are left alone: replacing them everywhere would destroy the record, and they protect nothing. */
const SECRET_LENGTH_MIN = 6

/** Clear characters that a masked value may show. */
const CLEAR_CHARACTERS_MAX = 4

export class Redactor {
  /** Secret or one of its encodings -> what stands in its place, longest first when used. */
  readonly #replacements = new Map<string, string>()
  #pattern: RegExp | undefined

  /** Makes a value unprintable from now on, also URL-encoded, in base64 and without separators. */
  addSecret(value: string, label: string): void {
    if (value.length < SECRET_LENGTH_MIN || this.#replacements.has(value)) return
    const mark = `«${label}»`
    const bare = value.replaceAll(/[\s-]/g, '')
    const encodings = [
      value,
      bare,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('base64url'),
    ]
    for (const encoding of encodings)
      if (encoding.length >= SECRET_LENGTH_MIN) this.#replacements.set(encoding, mark)
    this.#pattern = undefined
  }

  /** Learns the secrets that a JSON message carries in fields of known names. */
  learn(json: unknown): void {
    walk(json, (name, value) => {
      if (isSecretField(name) && typeof value === 'string' && !isMasked(value))
        this.addSecret(value, name)
    })
  }

  /** Replaces every known secret. */
  text(text: string): string {
    this.#pattern ??= patternOf(this.#replacements.keys())
    return this.#pattern
      ? text.replace(this.#pattern, (found) => this.#replacements.get(found) ?? '«secret»')
      : text
  }

  /** A header's value; whole where the header's name says so. */
  header(name: string, value: string): string {
    return isSecretField(name) ? `«${name.toLowerCase()}»` : this.text(value)
  }

  /** Copies plain data with every text redacted. */
  data<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T
    if (Array.isArray(value)) return value.map((each) => this.data(each as unknown)) as T
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, this.data(each as unknown)]),
    ) as T
  }
}

function isSecretField(name: string): boolean {
  return SECRET_FIELDS.has(name.toLowerCase().replaceAll(/[-_]/g, ''))
}

/** `****1234` protects its value already, and is evidence. */
function isMasked(value: string): boolean {
  const clear = value.replaceAll(/[*•xX#\s-]/g, '')
  return clear.length <= CLEAR_CHARACTERS_MAX
}

function patternOf(secrets: Iterable<string>): RegExp | undefined {
  const parts = [...secrets]
    .toSorted((a, b) => b.length - a.length)
    .map((secret) => secret.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return parts.length === 0 ? undefined : new RegExp(parts.join('|'), 'g')
}

/** Visits every named value, without recursion: a server's answer may be nested deeper than the stack. */
function walk(json: unknown, visit: (name: string, value: unknown) => void): void {
  const rest: unknown[] = [json]
  for (let value = rest.pop(); rest.length > 0 || value !== undefined; value = rest.pop()) {
    if (value === null || typeof value !== 'object') continue
    for (const [name, each] of Object.entries(value)) {
      visit(name, each)
      rest.push(each)
    }
  }
}
