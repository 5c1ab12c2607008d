/** Other load generators, where they are installed: what a request costs them that keep nothing of its answer but the time. */
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { type Ended, runProgram } from './cpu-seconds.ts'

export type ToolSetting = {
  readonly directory: string
  readonly url: string
  readonly key: string
  readonly inFlight: number
}

export type Tool = {
  readonly name: string
  /** CPU seconds of one request. */
  readonly cost: (program: string, setting: ToolSetting) => Promise<number>
}

const SECONDS = 2

export const wrk: Tool = {
  name: 'wrk',
  async cost(program, { url, key, inFlight }) {
    const ended = await ran([
      program,
      '--threads=1',
      `--connections=${inFlight}`,
      `--duration=${SECONDS}s`,
      `--header=X-API-Key: ${key}`,
      url,
    ])
    return ended.cpuSeconds / countIn(ended.stdout, /(\d+) requests in/)
  },
}

export const vegeta: Tool = {
  name: 'vegeta',
  async cost(program, { url, key, inFlight, directory }) {
    const output = path.join(directory, 'vegeta.bin')
    const ended = await ran(
      [
        program,
        'attack',
        '-rate=0',
        `-workers=${inFlight}`,
        `-max-workers=${inFlight}`,
        `-connections=${inFlight}`,
        `-duration=${SECONDS}s`,
        `-output=${output}`,
      ],
      `GET ${url}\nX-API-Key: ${key}\n`,
    )
    const report = await ran([program, 'report', '-type=json', output])
    return ended.cpuSeconds / countIn(report.stdout, /"requests":(\d+)/)
  },
}

/** The path of a program of this name on PATH; undefined if there is none. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const directory of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(directory, name)
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return file
  }
  return undefined
}

async function ran(command: readonly string[], input?: string): Promise<Ended> {
  const ended = await runProgram(command, input === undefined ? {} : { input })
  if (ended.exitCode !== 0)
    throw new Error(`${command[0]} ended with ${ended.exitCode}: ${ended.stderr.slice(-400)}`)
  return ended
}

function countIn(text: string, pattern: RegExp): number {
  const count = Number(pattern.exec(text)?.[1])
  if (!(count > 0)) throw new Error(`Got no number of requests in ${JSON.stringify(text)}.`)
  return count
}
