import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FORMS } from '../evidence/form.ts'
import { collectEvidence, type Collected } from './collect.ts'

let directory = ''
const into = (): string => path.join(directory, 'joined.txt')

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'harness-collect-'))
})
afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

async function collect(
  texts: readonly (string | undefined)[],
  interrupted = false,
): Promise<Collected> {
  const files = texts.map((_, index) => path.join(directory, `${index}.evidence.txt`))
  for (const [index, text] of texts.entries())
    if (text !== undefined) await writeFile(files[index] ?? '', text)
  return collectEvidence(files, { run: 'r1', form: FORMS.windows, into: into(), interrupted })
}

const header = (segment: string, startedMs: number, run = 'r1'): string =>
  `i 1 ${run} ${segment} ${startedMs}000 5000`

describe('evidence of several instances', () => {
  it('is joined on one clock, with the figures of each', async () => {
    const first = `${header('0:1/2', 1010)}\nx 0 0 0 6000 7000 200 - - n\ne 0 1 done\n`
    const second = `${header('1/2:1', 1000)}\nx 1 0 0 6000 7000 200 - - n\nx 1 0 0 8000 9000 200 - - r\ne 1 2 done\n`
    expect(await collect([first, second])).toEqual({
      instances: [
        { segment: '0:1/2', startedAfterMs: 10, exchanges: 1 },
        { segment: '1/2:1', startedAfterMs: 0, exchanges: 2 },
      ],
    })
    expect(await readFile(into(), 'utf8')).toBe(
      'x 0 0 0 16000 17000 200 - - n\ne 0 1 done\n' +
        'x 1 0 0 6000 7000 200 - - n\nx 1 0 0 8000 9000 200 - - r\ne 1 2 done\n',
    )
  })

  it('carries lines over the borders of what is read at once', async () => {
    const line = 'x 0 0 0 6000 7000 200 - - n'
    const lines = Array.from({ length: 20_000 }, () => line)
    const { instances } = await collect([`${header('-', 1000)}\n${lines.join('\n')}\n`])
    expect(instances[0]?.exchanges).toBe(lines.length)
    expect(await readFile(into(), 'utf8')).toBe(`${lines.join('\n')}\n`)
  })

  it('doubts a run of which a part is missing, or that did not start together', async () => {
    const { doubt } = await collect([`${header('0:1/2', 1000)}\n`])
    expect(doubt).toBe('The evidence of the segment 1/2:1 is missing.')
    const late = await collect([`${header('0:1/2', 1000)}\n`, `${header('1/2:1', 2001)}\n`])
    expect(late.doubt).toContain('started 1001 ms apart')
  })

  it.each([
    ['of another run', [`${header('-', 1000, 'r2')}\n`], 'is of run r2, the plan is of run r1'],
    ['twice', [`${header('-', 1000)}\n`, `${header('-', 1000)}\n`], 'Two instances'],
    ['without a header', ['x 0 0 0 6000 7000 200 - - n\n'], 'does not begin with the header'],
    ['with nothing in it', [''], 'wrote no evidence into 0.evidence.txt'],
    ['that is not there', [undefined], 'wrote no evidence into 0.evidence.txt'],
    [
      'that two processes wrote',
      [`${header('-', 1000)}\n${header('-', 1000)}\n`],
      'Two processes wrote',
    ],
    ['that is cut off', [`${header('-', 1000)}\nx 0 0 0 60`], 'is cut off'],
  ])('is refused %s', async (_, texts, message) => {
    await expect(collect(texts)).rejects.toThrow(message)
  })

  it('holds nothing of an earlier run where a stopped k6 did not even begin', async () => {
    await writeFile(into(), 'x 0 0 0 6000 7000 200 - - n\n')
    expect((await collect([undefined], true)).instances).toEqual([])
    expect(await readFile(into(), 'utf8')).toBe('')
  })

  it('leaves out what a stopped k6 did not finish', async () => {
    const whole = `${header('0:1/2', 1000)}\nx 0 0 0 6000 7000 200 - - n\nx 0 0 0 60`
    const { instances } = await collect([whole, undefined], true)
    expect(instances).toHaveLength(1)
    expect(await readFile(into(), 'utf8')).toBe('x 0 0 0 6000 7000 200 - - n\n')
  })
})
