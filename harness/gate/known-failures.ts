import { readFile } from 'node:fs/promises'
import type { KnownFailures } from '../../schemas/generated/known-failures.ts'
import { HarnessError } from '../errors.ts'
import { validateDocument } from '../schema/validate.ts'
import { didYouMean } from '../nearest.ts'
import type { Selectable } from './conformance.ts'

type Known = {
  readonly catalogue: readonly { readonly id: string }[]
  readonly checks: readonly Selectable[]
  readonly scenarios: readonly Selectable[]
}

/** Reads a list of known failures, YAML or JSON. Throws E_KNOWN_FAILURES with every problem and its line. */
export async function readKnownFailures(file: string, known: Known): Promise<KnownFailures> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException
    throw refused(file, [code === 'ENOENT' ? 'there is no such file' : message])
  })
  // Loaded late: of a hundred runs, one has such a list.
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const [error] = document.errors
  if (error) throw refused(file, [`line ${error.linePos?.[0].line ?? 1}: ${error.code}`])
  const lineOf = (pointer: string): number => {
    const node: unknown = document.getIn(pathOf(pointer), true)
    const [offset = 0] = (node as { range?: readonly number[] } | undefined)?.range ?? []
    return lines.linePos(offset).line
  }
  const value: unknown = document.toJS() ?? {}
  const problems = validateDocument('known-failures', value).map(
    ({ pointer, message, got }) => `line ${lineOf(pointer)}: ${message}, got ${got}`,
  )
  if (problems.length > 0) throw refused(file, problems)
  const list = value as KnownFailures
  const unknown = strangersIn(list, known).map(
    ({ pointer, text: said }) => `line ${lineOf(pointer)}: ${said}`,
  )
  if (unknown.length > 0) throw refused(file, unknown)
  return withPresentIds(list, known.checks)
}

/** A list may name a check by the id that it had before it was merged into another. */
function withPresentIds(list: KnownFailures, checks: Known['checks']): KnownFailures {
  const present = new Map(
    checks.flatMap(({ id, formerIds = [] }) => formerIds.map((former) => [former, id])),
  )
  if (list.failures === undefined) return list
  return {
    ...list,
    failures: list.failures.map((each) => {
      const check = each.check && present.get(each.check)
      return check ? { ...each, check } : each
    }),
  }
}

function pathOf(pointer: string): (string | number)[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

type Stranger = { readonly pointer: string; readonly text: string }

/** Names that this version does not have: such an entry could never match. */
function strangersIn({ failures = [], severity = [] }: KnownFailures, known: Known): Stranger[] {
  const ids = known.catalogue.map(({ id }) => id)
  const sources = [...known.checks, ...known.scenarios]
  const requirements = [
    ...failures.map(({ requirement }, i) => ({
      requirement,
      pointer: `/failures/${i}/requirement`,
    })),
    ...severity.map(({ requirement }, i) => ({
      requirement,
      pointer: `/severity/${i}/requirement`,
    })),
  ]
  return [
    ...requirements
      .filter(({ requirement }) => !ids.includes(requirement))
      .map(({ requirement, pointer }) => ({
        pointer,
        text: `there is no requirement "${requirement}". ${didYouMean(requirement, ids, 'See npm run requirements.')}`,
      })),
    ...failures.flatMap(({ requirement, check }, i) => {
      if (check === undefined) return []
      const pointer = `/failures/${i}/check`
      const source = sources.find(
        ({ id, formerIds = [] }) => id === check || formerIds.includes(check),
      )
      const names = sources.map(({ id }) => id)
      if (source === undefined)
        return [
          {
            pointer,
            text: `there is no check "${check}". ${didYouMean(check, names, 'See npm run gate -- --list.')}`,
          },
        ]
      return source.requirements.includes(requirement)
        ? []
        : [{ pointer, text: `${check} does not decide ${requirement}` }]
    }),
  ]
}

function refused(file: string, problems: readonly string[]): HarnessError {
  return new HarnessError(
    'E_KNOWN_FAILURES',
    `${file}: ${problems.join('; ')}`,
    'Correct it, or leave --known-failures out. Each failure names requirement, reason, owner and expires (YYYY-MM-DD).',
  )
}
