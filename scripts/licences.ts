/** `npm run check`: every package of the lock file has a licence that we may use. Asks nobody. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { endSoon } from './end-soon.ts'

/** Permissive, or of files alone (MPL-2.0, which we do not change). */
const PERMITTED: readonly string[] = [
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'MPL-2.0',
  'Python-2.0',
  'PSF-2.0',
  'Unlicense',
]

type Package = { readonly license?: unknown; readonly licenses?: unknown }

const ROOT = path.dirname(import.meta.dirname)

async function readJson(...names: readonly string[]): Promise<unknown> {
  return JSON.parse(await readFile(path.join(ROOT, ...names), 'utf8'))
}

/** The lock file leaves licences out that are stated in an old form. Undefined: the package is not installed here. */
async function licenceOf(place: string, known: Package): Promise<string | undefined> {
  if (typeof known.license === 'string') return known.license
  if (!existsSync(path.join(ROOT, place))) return undefined
  const { license, licenses } = (await readJson(place, 'package.json')) as Package
  const first: unknown = [license, licenses].flat().find(Boolean)
  return typeof first === 'string' ? first : typeOf(first)
}

/** `{ "type": "MIT", "url": … }` */
function typeOf(stated: unknown): string {
  const { type } = (stated ?? {}) as { readonly type?: unknown }
  return typeof type === 'string' ? type : 'none is stated'
}

/** Any of several will do. */
function isPermitted(licence: string): boolean {
  const choices = licence.replaceAll(/[()]/g, '').split(/ OR /)
  return choices.some((choice) => choice.split(/ AND /).every((each) => PERMITTED.includes(each)))
}

const { packages } = (await readJson('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Package>>
}
const places = Object.entries(packages).filter(([place]) => place !== '')
const refused: string[] = []
for (const [place, known] of places) {
  const licence = await licenceOf(place, known)
  if (licence !== undefined && !isPermitted(licence))
    refused.push(`${place.replace('node_modules/', '')}: ${licence}`)
}
for (const each of refused) console.log(each)
if (refused.length > 0 || places.length === 0) {
  console.log('Take another package, or permit the licence in scripts/licences.ts.')
  process.exitCode = 1
}
endSoon()
