/** Who decides which requirement: the catalogue held against the checks and load scenarios that cite it. Pure. */
import type { Level, OpenQuestion, Requirement } from '../contract/requirements/types.ts'

/** A check or a load scenario, with the requirements that it decides. */
export type Citer = { readonly name: string; readonly requirements: readonly string[] }

export type AreaCoverage = {
  readonly area: string
  readonly title: string
  readonly requirements: number
  readonly levels: Readonly<Record<Level, number>>
  readonly excluded: number
  readonly openQuestions: number
  /** Requirements that a client can see. */
  readonly visible: number
  /** Those of them that something cites. */
  readonly covered: number
}

export type Coverage = {
  readonly areas: readonly AreaCoverage[]
  readonly total: Omit<AreaCoverage, 'area' | 'title'>
  /** Ids that a client can see and nothing cites, in catalogue order. */
  readonly uncovered: readonly string[]
  /** Citations that cannot be right: the id is unknown, or the requirement is excluded. */
  readonly dangling: readonly {
    readonly by: string
    readonly id: string
    readonly reason: 'unknown' | 'excluded'
  }[]
  /** Id -> names of those who cite it; only ids that are cited. */
  readonly citedBy: Readonly<Record<string, readonly string[]>>
}

type Catalogue = {
  readonly areas: Readonly<Record<string, string>>
  readonly requirements: readonly Requirement[]
  readonly openQuestions: readonly OpenQuestion[]
}

export function areaOf(id: string): string {
  return id.slice(0, id.lastIndexOf('-'))
}

function countOf<T>(items: readonly T[], wanted: (item: T) => boolean): number {
  return items.filter(wanted).length
}

function tally(
  requirements: readonly Requirement[],
  openQuestions: number,
  cited: (id: string) => boolean,
): Coverage['total'] {
  const visible = requirements.filter((each) => each.excluded === undefined)
  return {
    requirements: requirements.length,
    levels: {
      must: countOf(requirements, (each) => each.level === 'must'),
      typical: countOf(requirements, (each) => each.level === 'typical'),
      may: countOf(requirements, (each) => each.level === 'may'),
    },
    excluded: requirements.length - visible.length,
    openQuestions,
    visible: visible.length,
    covered: countOf(visible, (each) => cited(each.id)),
  }
}

function citationsOf(citers: readonly Citer[]): Record<string, string[]> {
  const citedBy: Record<string, string[]> = {}
  for (const citer of citers)
    for (const id of new Set(citer.requirements)) (citedBy[id] ??= []).push(citer.name)
  return citedBy
}

function danglingOf(
  citedBy: Readonly<Record<string, readonly string[]>>,
  requirements: readonly Requirement[],
): Coverage['dangling'] {
  const byId = new Map(requirements.map((each) => [each.id, each]))
  return Object.entries(citedBy).flatMap(([id, names]) => {
    const requirement = byId.get(id)
    if (requirement && requirement.excluded === undefined) return []
    const reason = requirement ? ('excluded' as const) : ('unknown' as const)
    return names.map((by) => ({ by, id, reason }))
  })
}

/** Holds a catalogue against those who cite it. */
export function coverageOf(catalogue: Catalogue, citers: readonly Citer[]): Coverage {
  const { requirements, openQuestions } = catalogue
  const citedBy = citationsOf(citers)
  const cited = (id: string): boolean => Object.hasOwn(citedBy, id)
  const areas = Object.entries(catalogue.areas).map(([area, title]) => {
    const questions = countOf(openQuestions, (question) => question.area === area)
    const own = requirements.filter(({ id }) => areaOf(id) === area)
    return { area, title, ...tally(own, questions, cited) }
  })
  return {
    areas,
    total: tally(requirements, openQuestions.length, cited),
    uncovered: requirements
      .filter((each) => each.excluded === undefined && !cited(each.id))
      .map((each) => each.id),
    dangling: danglingOf(citedBy, requirements),
    citedBy,
  }
}
