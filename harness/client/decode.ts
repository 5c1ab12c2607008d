import { isUtf8 } from 'node:buffer'
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { HeaderList } from './exchange.ts'

/** A body as text, and what is wrong with its bytes. */
export type Decoded = {
  readonly body: string
  /** Longer than the client reads, once it was decoded. */
  readonly truncated: boolean
  readonly flaw?: string
}

type Options = { readonly maxOutputLength: number }
type Decode = (bytes: Buffer, options: Options) => Buffer

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** Some senders leave the zlib head out, which recipients are used to (RFC 9110, 8.4.1.2). */
function inflate(bytes: Buffer, options: Options): Buffer {
  try {
    return inflateSync(bytes, options)
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'Z_DATA_ERROR') throw cause
    return inflateRawSync(bytes, options)
  }
}

/**
 * The text of a body. The client sends no Accept-Encoding, which permits every content coding (RFC 9110, 12.5.3): a service that
 * compresses unasked is read all the same. If a body cannot be read, its place holds the reason.
 */
export function decode(bytes: Buffer, headers: HeaderList, bytesMax: number): Decoded {
  const codings = codingsOf(headers)
  if (codings.length > CODINGS_MAX)
    return unreadable(
      bytes,
      `in ${codings.length} content codings: the client reads ${CODINGS_MAX} at most`,
    )
  let plain = bytes
  for (const coding of codings.toReversed()) {
    const decoder = DECODERS[coding]
    if (decoder === undefined)
      return unreadable(bytes, `of the content coding ${coding}, which is not known`)
    try {
      plain = decoder(plain, { maxOutputLength: bytesMax })
    } catch (cause) {
      const { code } = cause as { code?: string }
      if (code === 'ERR_BUFFER_TOO_LARGE') return { body: '', truncated: true }
      return unreadable(bytes, `that do not decode as ${coding} (${code ?? 'no code'})`)
    }
  }
  const body = plain.toString('utf8')
  return isUtf8(plain)
    ? { body, truncated: false }
    : { body, truncated: false, flaw: 'the body is not UTF-8' }
}

const NAME = 'content-encoding'

/** Each takes up to 30 ms, in which no signal is answered, and a header has room for thousands. */
const CODINGS_MAX = 4

function codingsOf(headers: HeaderList): readonly string[] {
  const lines = headers.filter(
    ([name]) => name.length === NAME.length && name.toLowerCase() === NAME,
  )
  if (lines.length === 0) return []
  return lines
    .flatMap(([, value]) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
}

function unreadable(bytes: Buffer, how: string): Decoded {
  const flaw = `the body is ${bytes.length} bytes ${how}`
  return { body: `(${flaw})`, truncated: false, flaw }
}
