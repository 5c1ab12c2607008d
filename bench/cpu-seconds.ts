/** CPU seconds of another program, user and system, with all its children: the shell's `times` tells, which every POSIX shell has. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export type Ended = {
  readonly cpuSeconds: number
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export type ProgramOptions = {
  readonly env?: NodeJS.ProcessEnv
}

const SCRIPT = '"$@"; code=$?; times >&3; exit $code'

export async function runProgram(
  command: readonly string[],
  { env = process.env }: ProgramOptions = {},
): Promise<Ended> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', ...command], {
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  child.stdin.end()
  const told = child.stdio[3] as NodeJS.ReadableStream
  const [stdout, stderr, times] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    text(told),
  ])
  const [code] = await ended
  return { cpuSeconds: childSeconds(times), exitCode: code ?? -1, stdout, stderr }
}

/** The second line of `times`: user and system time of the children, as 1m2.34s each. */
export function childSeconds(times: string): number {
  const [, children = ''] = times.trim().split('\n')
  const parts = [...children.matchAll(/(\d+)m(\d+(?:[.,]\d+)?)s/g)]
  if (parts.length !== 2)
    throw new Error(`Got ${JSON.stringify(times)} from the shell; expected two lines of times.`)
  return parts.reduce(
    (sum, [, minutes, seconds = '']) =>
      sum + 60 * Number(minutes) + Number(seconds.replace(',', '.')),
    0,
  )
}
