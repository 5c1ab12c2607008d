import { expect, test } from 'vitest'
import { childSeconds, runProgram } from './cpu-seconds.ts'

test.each([
  ['0m0.000s 0m0.001s\n0m1.250s 0m0.500s\n', 1.75],
  ['0m0.000000s 0m0.001000s\n2m1.250000s 1m0.500000s\n', 181.75],
  ['0m0,00s 0m0,00s\n0m0,25s 0m0,25s', 0.5],
])('%j is read', (times, seconds) => {
  expect(childSeconds(times)).toBeCloseTo(seconds, 9)
})

test('anything else is refused', () => {
  expect(() => childSeconds('')).toThrow('expected two lines')
})

test('a program gives its output, its exit code and its time', async () => {
  const script = 'console.log("hello"); process.exitCode = 3'
  const ended = await runProgram([process.execPath, '-e', script])
  expect(ended).toMatchObject({ exitCode: 3, stdout: 'hello\n', stderr: '' })
  expect(ended.cpuSeconds).toBeGreaterThan(0)
})
