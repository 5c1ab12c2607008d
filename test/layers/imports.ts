import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** One import, by value or by type, of a source file. */
export type Import = { readonly from: string; readonly to: string }

const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*['"](?<specifier>\.{1,2}\/[^'"]+)['"]/g

/** Tests and types that are generated may import what they like. */
function isSource(file: string): boolean {
  return file.endsWith('.ts') && !/\.test\.ts$|^test\/|^schemas\/generated\//.test(file)
}

/** All imports between source files of the checkout. */
export function importsOf(root: string): Import[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], {
    cwd: root,
  })
  const files = new Set(listed.toString().split('\n').filter(isSource))
  return [...files].flatMap((from) =>
    specifiersIn(path.join(root, from)).flatMap((specifier) => {
      const to = path.posix.join(path.posix.dirname(from), specifier)
      return files.has(to) ? [{ from, to }] : []
    }),
  )
}

function specifiersIn(file: string): string[] {
  // A file that git lists may have been removed meanwhile.
  try {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(IMPORTED)].map((match) => match.groups?.['specifier'] ?? '')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw cause
  }
}

type FolderOf = (file: string) => string

const folderIn: FolderOf = (file) => path.dirname(file)

/** The folder that a newcomer sees: what lies deeper belongs to it. */
export const secondLevelOf: FolderOf = (file) => path.dirname(file).split('/').slice(0, 2).join('/')

type Edges = ReadonlyMap<string, ReadonlyMap<string, readonly Import[]>>

function edgesBetween(imports: readonly Import[], folderOf: FolderOf): Edges {
  const edges = new Map<string, Map<string, Import[]>>()
  for (const each of imports) {
    const [from, to] = [folderOf(each.from), folderOf(each.to)]
    if (from === to) continue
    const out = edges.get(from) ?? new Map<string, Import[]>()
    edges.set(from, out.set(to, [...(out.get(to) ?? []), each]))
  }
  return edges
}

/** Every import that closes a circle of folders: its folder is reached again from the folder that it leads to. */
export function circlesIn(imports: readonly Import[], folderOf: FolderOf = folderIn): string[] {
  const edges = edgesBetween(imports, folderOf)
  return [...edges].flatMap(([from, out]) =>
    [...out].flatMap(([to, through]) =>
      reached(edges, to).has(from)
        ? through.map((each) => `${from} -> ${to}: ${each.from} imports ${each.to}`)
        : [],
    ),
  )
}

function reached(edges: Edges, from: string): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [from]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for (const next of edges.get(folder)?.keys() ?? []) {
      if (found.has(next)) continue
      found.add(next)
      waiting.push(next)
    }
  return found
}
