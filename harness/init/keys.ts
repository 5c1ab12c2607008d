/** Which keys the file names: those of the environment, and those that --key names, several of a role as a list. */
import { ROLES, type Role } from '../../contract/capabilities.ts'
import type { Credential as FileCredential, TargetFile } from '../../schemas/generated/target.ts'
import { HarnessError } from '../errors.ts'
import { didYouMean } from '../nearest.ts'
import { KEY_VARIABLE, variable } from '../target-file/options.ts'
import { quoteSafely } from '../target-file/secrets.ts'
import type { Credential, Target } from '../target-file/target.ts'

/** A key that is named on the command line by its variable. */
export type NamedKey = {
  readonly role: Role
  readonly env: string
  readonly account?: string
  readonly secret: string
}

const FORM = /^(?<role>[^=]+)=(?<env>[A-Za-z_]\w*)(?:@(?<account>[\w.-]+))?$/

/** `ROLE=VARIABLE` or `ROLE=VARIABLE@ACCOUNT`, in the order of the list. Throws E_USAGE. */
export function namedKeys(texts: readonly string[], env: NodeJS.ProcessEnv): readonly NamedKey[] {
  return texts.map((text) => {
    const { role = '', env: name = '', account } = FORM.exec(text)?.groups ?? {}
    const roles = Object.keys(ROLES) as Role[]
    const known = roles.find((each) => each === role)
    if (known === undefined)
      throw new HarnessError(
        'E_USAGE',
        `--key was ${quoteSafely(text)}, expected ROLE=VARIABLE or ROLE=VARIABLE@ACCOUNT`,
        didYouMean(role, roles, `VARIABLE holds the key; a ROLE is one of ${roles.join(', ')}.`),
      )
    const secret = variable(env, name)
    if (secret === undefined)
      throw new HarnessError(
        'E_USAGE',
        `--key ${known}=${quoteSafely(name)}: no such variable is set`,
        `Set a variable to the key, and give its name: --key ${known}=MY_KEY.`,
      )
    return { role: known, env: name, secret, ...(account !== undefined && { account }) }
  })
}

/** Where no variable gives the key of role full, the first that is named for it is the one that looks. */
export function withFullKey(env: NodeJS.ProcessEnv, named: readonly NamedKey[]): NodeJS.ProcessEnv {
  const isGiven = [KEY_VARIABLE, `${KEY_VARIABLE}_FULL`].some((name) => variable(env, name))
  const full = named.find(({ role }) => role === 'full')
  return isGiven || !full ? env : { ...env, [KEY_VARIABLE]: full.secret }
}

/** The key that reads balances: the one that was named for it, else that of the environment. */
export function fundsKey(
  { credentials }: Pick<Target, 'credentials'>,
  named: readonly NamedKey[],
): Credential | undefined {
  const key = named.find(({ role }) => role === 'funds')
  return key ? { account: 'main', ...key } : credentials.funds
}

/** A key that is named again by another variable stands once, by the name that was given. */
export function credentialsOf(
  { credentials }: Pick<Target, 'credentials'>,
  named: readonly NamedKey[],
): TargetFile['credentials'] {
  const found = Object.values(credentials).filter(
    ({ role, secret }) => !named.some((each) => each.role === role && each.secret === secret),
  )
  const byRole = Map.groupBy<Role, Pick<NamedKey, 'role' | 'env' | 'account'>>(
    [...found.map(({ role, env }) => ({ role, env })), ...named],
    ({ role }) => role,
  )
  return Object.fromEntries(
    [...byRole].map(([role, keys]) => {
      const listed = keys.map(({ env, account }): FileCredential => ({
        env,
        ...(account && { account }),
      }))
      return [role, listed.length === 1 ? listed[0] : listed]
    }),
  )
}
