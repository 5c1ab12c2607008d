/** Command lines and targets that cannot be meant: refused before anything is sent. */
import { expect } from 'vitest'
import type { Row } from '../row.ts'
import { nothing, service } from '../servers.ts'

const refused = (
  probes: readonly number[],
  what: string,
  parameters: readonly string[],
  sentence: RegExp,
  exit = 2,
): Row => ({
  probes,
  what,
  against: nothing,
  parameters,
  exit,
  says: [sentence, new RegExp(`Exit ${exit}\\.`)],
  record: 'none',
})

/** A target file that is changed, or another text altogether. */
const withFile = (
  probe: number,
  what: string,
  file: (content: Readonly<Record<string, unknown>>) => unknown,
  sentence: RegExp,
): Row => ({
  ...refused([probe], what, [], sentence),
  against: () => service(undefined, { file }),
  also: (ended) => {
    expect(ended.out + ended.err).not.toContain(CLEAR_KEY)
  },
})

const CLEAR_KEY = 'k3y-0123456789abcdef'
const text = (content: object): string => JSON.stringify(content)

export const CONFIGURATION: readonly Row[] = [
  withFile(1, 'an empty target file', () => '', /E_TARGET_FILE_UNREADABLE/),
  withFile(1, 'a target file of white space', () => ' \n\t', /E_TARGET_FILE_UNREADABLE/),
  withFile(2, 'a comma too many', (file) => `${text(file).slice(0, -1)},}`, /:1:\d+/),
  withFile(
    3,
    'a name twice',
    (file) => text(file).replace('{', '{"name":"x",'),
    /:1:\d+: the name "name" stands here a second time/,
  ),
  withFile(4, 'a misspelt field', (file) => ({ ...file, capabilites: [] }), /capabilities/),
  withFile(11, 'a target file 100,000 deep', () => '['.repeat(1e5), /E_TARGET_FILE/),
  withFile(11, 'a target file of 300 KB', () => `"${'a'.repeat(3e5)}"`, /E_TARGET_FILE/),
  withFile(
    12,
    'a prototype in a target file',
    (file) => text(file).replace('{', '{"__proto__":{},'),
    /__proto__/,
  ),
  withFile(
    13,
    'a key in the clear',
    (file) => ({ ...file, credentials: { full: { apiKey: CLEAR_KEY } } }),
    /E_TARGET_SECRET/,
  ),
  refused([11], 'a target file that is not there', ['--target', 'none.json'], /no such file/),
  refused(
    [11],
    'a directory for a target file',
    ['--target', 'harness'],
    /directory|E_TARGET_FILE/,
  ),
  refused(
    [13],
    'a password in the base URL',
    ['--base-url', `http://u:${CLEAR_KEY}@127.0.0.1`],
    /user name or password/,
  ),
  refused(
    [15],
    'a fault beside a target',
    ['--fault', 'no-such', '--base-url', 'http://127.0.0.1:1'],
    /--fault was given together/,
  ),
  refused([15], 'a misspelt fault', ['--fault', 'no-such'], /no fault "no-such"/),
  refused([5], 'an option that there is none of', ['--flor', '90'], /--flor/),
  refused([5], 'a stray word', ['auth'], /auth/),
  refused([6], 'a misspelt check', ['--only', 'auth.mising-key'], /Did you mean/, 5),
  refused(
    [6],
    '--last-failed without a run',
    ['--last-failed'],
    /there is no run of this target/,
    5,
  ),
  refused([7], '--only without a name', ['--only', ''], /without a name/),
  refused([7], '--only of commas', ['--only', ','], /without a name/),
  refused([8], '--floor 0', ['--floor', '0'], /from 1 to 100/),
  refused([8], 'a --floor that is a share', ['--floor', '0.9'], /Write 90 for ninety/),
  refused([8], 'a negative --floor', ['--floor=-1'], /from 1 to 100/),
  refused([9], 'a hexadecimal --floor', ['--floor', '0x10'], /--floor was "0x10"/),
  refused([9], 'a --floor in powers of ten', ['--floor', '1e1'], /--floor was "1e1"/),
  refused([10], 'a misspelt profile', ['--profile', 'corre'], /Did you mean/),
  refused([15], '--allow-purchases alone', ['--allow-purchases'], /--max-orders N and --max-spend/),
  refused([15], 'a negative sum', ['--max-spend', 'USD:-1'], /CUR:AMOUNT/),
]
