import { createReadStream, createWriteStream } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { EvidenceForm } from '../evidence/form.ts'
import { evidenceError } from '../evidence/lines.ts'
import { missingSegment, parseHeader, shiftLine, shiftsOf, startSpreadMs } from './merge.ts'
import type { InstanceFigures, InstanceHeader } from './merge.ts'

export type CollectOptions = {
  /** The plan's run: evidence of another one is refused. */
  readonly run: string
  readonly form: EvidenceForm
  /** The joined evidence is written here, without headers. */
  readonly into: string
  /** k6 was stopped: what it left may be cut off, or nothing at all. */
  readonly interrupted: boolean
}

export type Collected = {
  readonly instances: readonly InstanceFigures[]
  /** Why this is not a whole run, in a sentence. */
  readonly doubt?: string
}

/** Instances that start farther apart did not put their load on the target at the same time. */
const START_SPREAD_MS_MAX = 1000

/**
 * Joins the evidence of all instances on one clock. Throws E_K6_FAILED where there is none, where it is of another run, or where two
 * instances did the same; what nobody did is a doubt.
 */
export async function collectEvidence(
  files: readonly string[],
  options: CollectOptions,
): Promise<Collected> {
  const parts: Part[] = []
  for (const file of files) parts.push(...(await openPart(file, options)))
  const headers = parts.map(({ header }) => header)
  const missing = missingSegment(headers.map(({ segment }) => segment))
  const shifts = shiftsOf(headers)
  const firstUs = Math.min(...headers.map(({ startedUs }) => startedUs))
  const instances: InstanceFigures[] = []
  // What an earlier run left there must not pass for this one's.
  await writeFile(options.into, '')
  for (const [index, part] of parts.entries()) {
    const { segment, startedUs } = part.header
    const exchanges = await copyPart(part, shifts[index] ?? 0, options)
    instances.push({ segment, startedAfterMs: (startedUs - firstUs) / 1000, exchanges })
  }
  const doubt = doubtOf(missing, startSpreadMs(headers))
  return { instances, ...(doubt === undefined ? {} : { doubt }) }
}

function doubtOf(missing: string | undefined, spreadMs: number): string | undefined {
  if (missing !== undefined) return `The evidence of the segment ${missing} is missing.`
  return spreadMs > START_SPREAD_MS_MAX
    ? `The instances started ${Math.round(spreadMs)} ms apart, at most ${START_SPREAD_MS_MAX} are allowed.`
    : undefined
}

type Part = {
  readonly file: string
  readonly header: InstanceHeader
  /** Bytes of the first line, with its end. */
  readonly headerBytes: number
}

const HEADER_BYTES_MAX = 512

/** Empty if a stopped k6 did not even begin. */
async function openPart(file: string, { run, interrupted }: CollectOptions): Promise<Part[]> {
  const name = path.basename(file)
  const line = await firstLine(file)
  if (line === undefined) {
    if (interrupted) return []
    throw evidenceError(`k6 wrote no evidence into ${name}.`)
  }
  const header = parseHeader(line, name)
  if (header.run !== run)
    throw evidenceError(`The evidence ${name} is of run ${header.run}, the plan is of run ${run}.`)
  return [{ file, header, headerBytes: Buffer.byteLength(line) + 1 }]
}

/** The first line of a file; undefined where there is no file, or nothing whole in it. */
export async function firstLine(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES_MAX))
    const text = buffer.toString('utf8', 0, bytesRead)
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
    return bytesRead === HEADER_BYTES_MAX ? text : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Copies all but the header, with times moved; returns how many exchanges there are. */
async function copyPart(
  { file, headerBytes }: Part,
  shiftUs: number,
  { form, into, interrupted }: CollectOptions,
): Promise<number> {
  let exchanges = 0
  const prefix = `${form.exchange.word} `
  async function* moved(): AsyncGenerator<string> {
    let rest = ''
    const input = createReadStream(file, { start: headerBytes, encoding: 'utf8' })
    for await (const chunk of input as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith(prefix)) exchanges++
        // k6 appends to what is there.
        else if (line.startsWith('i '))
          throw evidenceError(`Two processes wrote their evidence into ${path.basename(file)}.`)
      }
      if (lines.length > 0)
        yield `${lines.map((line) => shiftLine(line, form.times, shiftUs)).join('\n')}\n`
    }
    // A stopped k6 leaves the piece of a line, which says nothing.
    if (rest !== '' && !interrupted)
      throw evidenceError(`The last line of the evidence ${path.basename(file)} is cut off.`)
  }
  await pipeline(moved, createWriteStream(into, { flags: 'a' }))
  return exchanges
}
