/** Evidence is written, then imported and judged in a process of its own, whose memory and time are those of nothing else. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { LoadResult, Verdict } from '../schemas/generated/run-record.ts'
import { runChild } from './child.ts'
import { tell, usageNow } from './usage.ts'

type ImportFigures = {
  readonly importSeconds: number
  /** Of import and judgement. */
  readonly seconds: number
  readonly cpuSeconds: number
  readonly maxRssBytes: number
  readonly exchanges: number
  readonly verdict: Verdict
  readonly reason: string
}
export type ImportResult = ImportFigures & { readonly name: string; readonly fileBytes: number }

/**
 * `write` writes the evidence and gives the child's arguments. Rejects when the verdict is not the one of the case: its time would say
 * nothing.
 */
export async function importInChild(
  { name, verdict }: { readonly name: string; readonly verdict: Verdict },
  child: string,
  write: (file: string) => Promise<readonly string[]>,
): Promise<ImportResult> {
  const directory = await mkdtemp(path.join(tmpdir(), 'bench-import-'))
  try {
    const file = path.join(directory, 'evidence.txt')
    const arguments_ = await write(file)
    let figures: ImportFigures | undefined
    await runChild(child, arguments_, (told) => {
      figures = told as ImportFigures
    })
    if (figures?.verdict !== verdict)
      throw new Error(
        `${name}: got the verdict ${figures?.verdict ?? 'none'}, expected ${verdict}: ${figures?.reason}`,
      )
    return { name, fileBytes: (await stat(file)).size, ...figures }
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** In the child: imports and judges, tells the parent what that took, and ends. The peak of memory is that of the whole process. */
export async function tellImport<Evidence>(
  readEvidence: () => Promise<Evidence>,
  judge: (evidence: Evidence) => Pick<LoadResult, 'requests' | 'verdict' | 'reason'>,
): Promise<void> {
  const startedMs = performance.now()
  const evidence = await readEvidence()
  const importedMs = performance.now()
  const { requests, verdict, reason } = judge(evidence)
  const figures: ImportFigures = {
    importSeconds: (importedMs - startedMs) / 1000,
    seconds: (performance.now() - startedMs) / 1000,
    cpuSeconds: usageNow().cpuMicroseconds / 1e6,
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
    exchanges: requests.sent,
    verdict,
    reason,
  }
  tell(figures)
  process.disconnect()
}
