/** What the caller adds to the requests of load (--header) and to k6's own metrics (--tag). */
import { usageError } from '../../errors.ts'

export type Marks = {
  /** By their names. Values may be secrets: they reach k6 through its environment alone. */
  readonly headers: Readonly<Record<string, string>>
  /** `name=value`. */
  readonly tags: readonly string[]
}

export const NO_MARKS: Marks = { headers: {}, tags: [] }

const MARKS_MAX = 20
const HEADER = /^([!#$%&'*+.^_`|~\w-]{1,100}):[ \t]*([\x20-\x7E]{1,1000})$/
const TAG = /^([A-Za-z_]\w{0,39})=([^\p{Cc}]{1,200})$/u

/** What the harness sends itself, or the connection is made of: a second one would replace the key, or what is judged. */
const TAKEN_HEADERS: ReadonlySet<string> = new Set(
  'x-api-key accept accept-encoding content-type content-length user-agent host connection keep-alive transfer-encoding te trailer upgrade expect proxy-authorization proxy-connection'.split(
    ' ',
  ),
)

/** Those of k6 and of the harness. */
const TAKEN_TAGS: ReadonlySet<string> = new Set(
  'operation status verdict scenario name method url proto group check error error_code tls_version service subproto ip vu iter expected_response instance_id'.split(
    ' ',
  ),
)

type Words = {
  readonly header?: readonly string[] | undefined
  readonly tag?: readonly string[] | undefined
  readonly out?: readonly string[] | undefined
}

/** Reads `--header 'name: value'` and `--tag name=value`. No message holds the value of a header. Throws E_USAGE. */
export function parseMarks({ header = [], tag = [], out = [] }: Words): Marks {
  const headers: Record<string, string> = {}
  for (const text of header) {
    const [, name, value] = HEADER.exec(text.trim()) ?? []
    if (name === undefined || value === undefined)
      throw usageError(
        '--header was not of the form name: value',
        "Write for example --header 'X-Load-Test: nightly'; a value has one line of plain characters.",
      )
    if (TAKEN_HEADERS.has(name.toLowerCase()))
      throw usageError(
        `--header named ${name}, which the harness or its connection sends itself`,
        'Leave it out: keys come from variables such as ORDERING_KEY alone.',
      )
    if (isNamed(headers, name))
      throw usageError(`--header named ${name} twice`, 'Say each header once.')
    headers[name] = value
  }
  const names = new Set<string>()
  for (const text of tag) {
    const name = TAG.exec(text)?.[1]
    if (name === undefined)
      throw usageError(
        `--tag was "${text}", name=value was expected`,
        'Write for example --tag build=4f2a91c.',
      )
    if (TAKEN_TAGS.has(name) || names.has(name))
      throw usageError(
        `--tag named ${name}, which ${names.has(name) ? 'was given already' : 'k6 or the harness sets itself'}`,
        'Choose another name.',
      )
    names.add(name)
  }
  if (tag.length > 0 && out.length === 0)
    throw usageError(
      "--tag was given without --out, and tags stand in k6's own metrics alone",
      'Say where they go, for example --out json=metrics.json.gz; for the report use --label.',
    )
  if (Math.max(header.length, tag.length) > MARKS_MAX)
    throw usageError(`more than ${MARKS_MAX} of --header or --tag were given`, 'Give fewer.')
  return { headers, tags: tag }
}

function isNamed(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((each) => each.toLowerCase() === name.toLowerCase())
}

/** Throws E_USAGE where a header or a tag holds a key: it would go where keys are not expected. */
export function requireWithoutKeys({ headers, tags }: Marks, keys: readonly string[]): void {
  const holdsKey = (text: string): boolean => keys.some((key) => key !== '' && text.includes(key))
  const leaking = Object.entries(headers).find(([, value]) => holdsKey(value))
  if (leaking === undefined && !tags.some(holdsKey)) return
  throw usageError(
    `${leaking === undefined ? '--tag' : `--header ${leaking[0]}`} holds an API key of the target`,
    'Leave the key out: it is sent as X-API-Key alone.',
  )
}

/** Values that must not be printed. Shorter ones could stand anywhere, and protect nothing. */
export function secretsOfMarks({ headers }: Marks): string[] {
  return Object.values(headers).filter(({ length }) => length >= SECRET_LETTERS_MIN)
}

const SECRET_LETTERS_MIN = 8
