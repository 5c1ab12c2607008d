/** Expands a block of Snappy (github.com/google/snappy, format_description.txt), as Prometheus remote write sends it. */
export function expandSnappy(block: Buffer): Buffer {
  let at = 0
  let [length, shift] = [0, 0]
  for (let more = true; more; shift += 7) {
    const byte = block.readUInt8(at++)
    length += (byte & 0x7f) * 2 ** shift
    more = byte >= 0x80
  }
  const out = Buffer.alloc(length)
  let end = 0
  while (at < block.length) {
    const tag = block.readUInt8(at++)
    const kind = tag & 3
    if (kind === LITERAL) {
      const extraBytes = Math.max(0, (tag >> 2) - 59)
      const size = 1 + (extraBytes === 0 ? tag >> 2 : block.readUIntLE(at, extraBytes))
      at += extraBytes
      end += block.copy(out, end, at, at + size)
      at += size
      continue
    }
    const size = kind === COPY_SHORT ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2)
    const offsetBytes = kind === COPY_SHORT ? 1 : 2 * (kind - 1)
    const low = block.readUIntLE(at, offsetBytes)
    const offset = kind === COPY_SHORT ? ((tag >> 5) << 8) + low : low
    at += offsetBytes
    // A copy may reach into what it writes itself.
    for (let index = 0; index < size; index++, end++) out[end] = out.readUInt8(end - offset)
  }
  if (end !== length) throw new Error(`The block holds ${end} bytes and announces ${length}.`)
  return out
}

const LITERAL = 0
const COPY_SHORT = 1
