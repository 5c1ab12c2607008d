import type { Credential, Target } from './target.ts'

export type FileKeys = Pick<Target, 'credentials' | 'moreKeys'>

/** Every key of the file, those that come first in their role before the others. */
export function keysOfFile({ credentials, moreKeys = [] }: FileKeys): readonly Credential[] {
  return [...Object.values(credentials), ...moreKeys]
}
