import { DEFAULT_WINDOW_SECONDS, type RunOptions } from './options.ts'

/** What a repeat command needs besides the selector to meet the same target again. Never a key: those come from the environment. */
export function sameTarget({
  target,
  image,
  faults,
  windowSeconds,
}: Omit<RunOptions, 'command'>): string {
  const flags: readonly (readonly [flag: string, value: string | undefined])[] = [
    ['--target', target.target],
    ['--base-url', target.baseUrl],
    ['--timing', target.timing],
    ['--image', image],
    ['--fault', faults.length > 0 ? faults.join(',') : undefined],
    [
      '--window-seconds',
      windowSeconds === DEFAULT_WINDOW_SECONDS ? undefined : String(windowSeconds),
    ],
  ]
  return flags
    .flatMap(([flag, value]) => (value === undefined ? [] : [` ${flag} ${quote(value)}`]))
    .join('')
}

function quote(value: string): string {
  return /^[\w./:@,-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}
