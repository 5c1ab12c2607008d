import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { firstFileOf } from './container-image.ts'
import { temporaryFolder } from '../../test/support/target-files.ts'

function archiveOf(folder: string, name: string): Buffer {
  return execFileSync('tar', ['--create', '--format=pax', '--file=-', '-C', folder, name])
}

test.each([0, 5, 511, 512, 513, 40_000])('finds a file of %d bytes in an archive', (bytes) => {
  const folder = temporaryFolder()
  const content = Buffer.alloc(bytes, 'ordering ')
  writeFileSync(path.join(folder, 'target.json'), content)
  expect(firstFileOf(archiveOf(folder, 'target.json')).equals(content)).toBe(true)
})

test('skips what is no file, such as the extended header of a name beyond ASCII', () => {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, 'ziel'))
  writeFileSync(path.join(folder, 'ziel', 'ä'.repeat(120)), 'content')
  expect(firstFileOf(archiveOf(folder, 'ziel')).toString()).toBe('content')
})

test('says that a folder is no file', () => {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, 'empty'))
  expect(() => firstFileOf(archiveOf(folder, 'empty'))).toThrow('it is no file')
})
