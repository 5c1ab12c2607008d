/** Command lines and targets that cannot be meant: refused before anything is sent. */
import type { Row } from '../row.ts'
import { nothing } from '../servers.ts'

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

export const CONFIGURATION: readonly Row[] = [
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
  refused([8], 'a negative --floor', ['--floor=-1'], /from 1 to 100/),
  refused([9], 'a hexadecimal --floor', ['--floor', '0x10'], /--floor was "0x10"/),
  refused([9], 'a --floor in powers of ten', ['--floor', '1e1'], /--floor was "1e1"/),
  refused([10], 'a misspelt profile', ['--profile', 'corre'], /Did you mean/),
  refused([15], '--allow-purchases alone', ['--allow-purchases'], /--max-orders N and --max-spend/),
  refused([15], 'a negative sum', ['--max-spend', 'USD:-1'], /CUR:AMOUNT/),
]
