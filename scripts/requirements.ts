/** `npm run requirements`: the catalogue of the interface and what decides it. */
import { styleText } from 'node:util'
import { ALL_CHECKS, ALL_INVARIANTS } from '../conformance/registry.ts'
import { AREAS } from '../contract/requirements/areas.ts'
import { OPEN_QUESTIONS, REQUIREMENTS } from '../contract/requirements/index.ts'
import type { Requirement } from '../contract/requirements/types.ts'
import { readPage } from '../harness/command-line.ts'
import { usageError } from '../harness/errors.ts'
import { LOAD_SCENARIOS } from '../harness/load/shared/scenarios.ts'
import { command } from './command.ts'
import { areaOf, coverageOf } from './requirements-coverage.ts'
import type { AreaCoverage, Citer, Coverage } from './requirements-coverage.ts'
import { REQUIREMENTS_PAGE } from './pages.ts'

const CATALOGUE = { areas: AREAS, requirements: REQUIREMENTS, openQuestions: OPEN_QUESTIONS }

type Options = {
  readonly area: string | undefined
  readonly json?: boolean
  readonly uncovered?: boolean
}

function readOptions(args: readonly string[]): Options {
  const { values } = readPage(REQUIREMENTS_PAGE, args)
  const area = values.area?.toUpperCase()
  if (area !== undefined && !Object.hasOwn(AREAS, area))
    throw usageError(
      `There is no area "${values.area}".`,
      `Use one of ${Object.keys(AREAS).join(', ')}.`,
    )
  return { ...values, area }
}

function readCiters(): Citer[] {
  return [
    ...[...ALL_CHECKS, ...ALL_INVARIANTS].map(({ id, requirements }) => ({
      name: `check ${id}`,
      requirements,
    })),
    ...LOAD_SCENARIOS.map(({ name, requirements }) => ({ name: `scenario ${name}`, requirements })),
  ]
}

const COLUMNS = ['area', 'all', 'must', 'typ.', 'may', 'excl.', 'open', 'covered'] as const

function tableRow(cells: readonly (string | number)[], title = ''): string {
  const [area = '', ...rest] = cells.map(String)
  return `${area.padEnd(8)}${rest.map((cell) => cell.padStart(8)).join('')}  ${title}`.trimEnd()
}

function countCells(name: string, counts: Coverage['total']): (string | number)[] {
  const { must, typical, may } = counts.levels
  const covered = `${counts.covered}/${counts.visible}`
  return [
    name,
    counts.requirements,
    must,
    typical,
    may,
    counts.excluded,
    counts.openQuestions,
    covered,
  ]
}

function printTable(coverage: Coverage): void {
  console.log(styleText('bold', tableRow(COLUMNS)))
  for (const area of coverage.areas) console.log(tableRow(countCells(area.area, area), area.title))
  console.log(styleText('bold', tableRow(countCells('all', coverage.total))))
  console.log(
    '\ntyp.: typical. excl.: a client cannot see it. open: questions that the interface leaves open. covered: of those a client can see.',
  )
  const { covered, visible } = coverage.total
  console.log(
    `${covered} of ${visible} requirements that a client can see are decided by a check or a load scenario; ` +
      `${coverage.uncovered.length} are not (--uncovered names them).`,
  )
}

function describe(requirement: Requirement, coverage: Coverage): string {
  const { id, level, text, section, source, excluded } = requirement
  const decidedBy = coverage.citedBy[id]?.join(', ') ?? 'nothing yet'
  return [
    `${styleText('bold', id)} ${level}: ${text}`,
    `    ${section}: ${source.join(' · ')}`,
    excluded === undefined ? `    decided by ${decidedBy}` : `    excluded: ${excluded}`,
  ].join('\n')
}

function printArea(area: AreaCoverage, coverage: Coverage): void {
  console.log(
    styleText('bold', `${area.area} ${area.title}: ${area.covered}/${area.visible} covered\n`),
  )
  for (const requirement of REQUIREMENTS)
    if (areaOf(requirement.id) === area.area) console.log(describe(requirement, coverage))
  for (const { id, area: own, question, answeredBy, unobserved } of OPEN_QUESTIONS)
    if (own === area.area)
      console.log(`${styleText('bold', id)} ${question} (${unobserved ?? answeredBy})`)
}

function printUncovered(requirements: readonly Requirement[]): void {
  for (const { id, level, text } of requirements) console.log(`${id} ${level}: ${text}`)
  console.log(`\n${requirements.length} requirements that a client can see have no check.`)
}

function print(coverage: Coverage, { area, json, uncovered }: Options): void {
  const inScope = (id: string): boolean => area === undefined || areaOf(id) === area
  const open = new Set(coverage.uncovered.filter((id) => inScope(id)))
  const selected = REQUIREMENTS.filter(({ id }) => (uncovered ? open.has(id) : inScope(id)))
  if (json) {
    const areas = coverage.areas.filter((each) => area === undefined || each.area === area)
    const openQuestions = OPEN_QUESTIONS.filter((each) => area === undefined || each.area === area)
    const { total, dangling, citedBy } = coverage
    const record = { total, areas, uncovered: [...open], dangling, citedBy }
    console.log(JSON.stringify({ ...record, requirements: selected, openQuestions }, undefined, 2))
    return
  }
  const one = coverage.areas.find((each) => each.area === area)
  if (uncovered) printUncovered(selected)
  else if (one) printArea(one, coverage)
  else printTable(coverage)
}

await command(REQUIREMENTS_PAGE, async ({ argv }) => {
  const options = readOptions(argv)
  const coverage = coverageOf(CATALOGUE, readCiters())
  print(coverage, options)
  for (const { by, id, reason } of coverage.dangling)
    console.error(
      `E_HARNESS: ${by} cites ${id}, which ${reason === 'unknown' ? 'the catalogue does not have' : 'the catalogue excludes'}. ` +
        `Cite a requirement that a client can see.`,
    )
  return coverage.dangling.length === 0 ? 0 : 4
})
