import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Reads a text as the file that k6 would have written. */
export async function readAsFile<T>(text: string, read: (file: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'evidence-'))
  try {
    const file = path.join(directory, 'evidence.txt')
    await writeFile(file, text)
    return await read(file)
  } finally {
    await rm(directory, { recursive: true })
  }
}
