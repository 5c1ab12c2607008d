import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { validateDocument } from '../../harness/schema/validate.ts'
import { RUN_FILES } from '../../harness/report/index.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const REPORTS = ['run.json', 'summary.md', 'junit.xml', 'ctrf.json', 'index.html']

let home: string
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'ci-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

type Ended = { readonly code: number; readonly out: string }

/** Runs a line of a job as its shell would, with what the system of CI sets. */
function shell(line: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:ORDERING_|GITHUB_|VITEST|NODE_OPTIONS|CI$)/.test(name),
  )
  const options = { cwd: home, env: { ...Object.fromEntries(kept), ...env } }
  return new Promise((resolve) => {
    execFile('bash', ['-e', '-o', 'pipefail', '-c', line], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: stdout + stderr }),
    )
  })
}

type Action = {
  readonly runs: {
    readonly steps: readonly {
      name?: string
      run?: string
      env?: Readonly<Record<string, string>>
    }[]
  }
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
}

/** The step that judges, with its environment as the runner would fill it. */
async function actionStep(
  inputs: Readonly<Record<string, string>>,
): Promise<{ line: string; env: Record<string, string> }> {
  const action = parse(await readFile(path.join(ROOT, 'action.yml'), 'utf8')) as Action
  const step = action.runs.steps.find(({ name }) => name === 'Judge the target')
  const valueOf = (expression: string): string => {
    const name = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1]
    if (name === undefined) return ROOT
    return inputs[name] ?? action.inputs[name]?.default ?? ''
  }
  const env = Object.entries(step?.env ?? {}).map(([name, text]) => [name, valueOf(text)] as const)
  return { line: step?.run ?? 'exit 99', env: Object.fromEntries(env) }
}

describe.concurrent('a job', () => {
  test('of GitHub: the step of action.yml annotates, fills the summary and leaves its files', async () => {
    const { line, env } = await actionStep({
      'run-dir': path.join(home, 'github'),
      label: 'service=orders,commit=4f2a91c',
      args: '--no-load --only auth.revoked-key --fault revoked-key-accepted',
    })
    const summary = path.join(home, 'step-summary.md')
    const ended = await shell(line, {
      ...env,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
    })
    expect(ended.code, ended.out).toBe(1)
    expect(ended.out).toMatch(/^::error title=AUTH-03::/m)
    expect(await readFile(summary, 'utf8')).toMatch(/^## ✕ Fail \(exit 1\)/)
    expect((await readdir(path.join(home, 'github'))).toSorted()).toEqual(REPORTS.toSorted())
    const record: unknown = JSON.parse(await readFile(path.join(home, 'github/run.json'), 'utf8'))
    expect(record).toMatchObject({ labels: { service: 'orders', commit: '4f2a91c' } })
    expect(await readFile(path.join(home, 'github/index.html'), 'utf8')).toContain('4f2a91c')
  })

  test('of GitLab: the template runs the gate and collects what it writes', async () => {
    const template = parse(await readFile(path.join(ROOT, 'ci/gitlab.yml'), 'utf8')) as Record<
      string,
      {
        script: string[]
        variables: Record<string, string>
        artifacts: { reports: Record<string, string> }
      }
    >
    const job = template['.ordering-harness']
    const [line = 'exit 99'] = job?.script ?? []
    const dir = path.join(home, 'gitlab')
    const local = line.replace(
      'npx --yes "./$HARNESS_PACKAGE"',
      `node ${ROOT}/bin/ordering-harness.js`,
    )
    expect(local).not.toBe(line)
    const ended = await shell(local, {
      HARNESS_RUN_DIR: dir,
      HARNESS_ARGS: '--only auth.missing-key,replay-storm',
      CI: 'true',
      CI_COMMIT_SHORT_SHA: '4f2a91c',
    })
    expect(ended.code, ended.out).toBe(0)
    for (const report of Object.values(job?.artifacts.reports ?? {})) {
      const file = report.replace('$HARNESS_RUN_DIR', dir)
      expect((await stat(file)).size, file).toBeGreaterThan(0)
    }
    const load = JSON.parse(await readFile(path.join(dir, 'load-performance.json'), 'utf8')) as {
      metrics: { http_reqs: { count: number } }
    }
    expect(load.metrics.http_reqs.count).toBeGreaterThan(0)
  })

  test.each([
    [2, 'an option that does not exist', '--flor 3'],
    [2, 'a target file that is not there', '--target no-such.json'],
    [3, 'a closed port', '--base-url http://127.0.0.1:1'],
    [5, 'a selection of nothing', '--only no.such-check'],
  ])('that ends with %i leaves files that say why: %s', async (code, name, args) => {
    const dir = path.join(home, `refused ${name}`)
    const line = `node ${ROOT}/bin/ordering-harness.js gate --run-dir "${dir}" ${args}`
    const ended = await shell(line, { CI: 'true', ORDERING_KEY: 'any-key-0123456789' })
    expect(ended.code, ended.out).toBe(code)
    const record: unknown = JSON.parse(await readFile(path.join(dir, 'run.json'), 'utf8'))
    expect(validateDocument('run-record', record)).toEqual([])
    expect(record).toMatchObject({ exitCode: code })
    expect(await readFile(path.join(dir, 'junit.xml'), 'utf8')).toMatch(/failures="0" errors="1"/)
    expect(await readFile(path.join(dir, 'summary.md'), 'utf8')).toContain('**Next:**')
  })

  test('without CI and --run-dir leaves nothing of a misspelt option', async () => {
    const reports = path.join(home, 'none')
    const line = `node ${ROOT}/bin/ordering-harness.js gate --reports "${reports}" --flor 3`
    const ended = await shell(line, {})
    expect(ended.code, ended.out).toBe(2)
    await expect(stat(reports)).rejects.toThrow(/ENOENT/)
  })

  test('that runs again replaces the files of the run before, and latest leads to the newest', async () => {
    const [dir, reports] = [path.join(home, 'again'), path.join(home, 'again-reports')]
    const line = `node ${ROOT}/bin/ordering-harness.js gate --run-dir "${dir}" --reports "${reports}"`
    const first = await shell(`${line} --no-load --only auth.missing-key`, {})
    expect(first.code, first.out).toBe(0)
    const second = await shell(`${line} --base-url http://127.0.0.1:1`, {
      ORDERING_KEY: 'k'.repeat(20),
    })
    expect(second.code, second.out).toBe(3)
    expect(
      (await readdir(dir)).every((file) => RUN_FILES.some((known) => known.file === file)),
    ).toBe(true)
    expect(await readFile(path.join(reports, 'latest/run.json'), 'utf8')).toContain('"exitCode": 3')
  })
})
