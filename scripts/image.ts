/** `npm run image`: builds the container image of the reference service, with or without an image registry. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { docker, DockerError, requireEngine } from './image/docker.ts'
import { makeLocalBase } from './image/local-base.ts'

const TAG = 'ordering-reference'
const BASE = 'node:24-slim'
const LOCAL = 'local'

const HELP = `Usage: npm run image -- [options]

Builds the image of the reference service, for npm run gate -- --image ${TAG}

  --tag NAME    name of the image (default ${TAG})
  --base IMAGE  what it is built upon (default ${BASE}; where that cannot be
                pulled, a base made of this machine's Node and its libraries)
                "${LOCAL}" makes that base without asking a registry
  --help        print this and end
`

const OPTIONS = {
  tag: { type: 'string', default: TAG },
  base: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

const EXIT_USAGE = 2
const EXIT_ENVIRONMENT = 3

function say(text: string): void {
  console.log(text)
}

/** The image to build upon. A base that was asked for is taken as it is: docker build says what is wrong with it. */
async function chooseBase(asked: string | undefined): Promise<string> {
  if (asked === LOCAL) return makeLocalBase(say)
  if (asked !== undefined) return asked
  if (await isHere(BASE)) return BASE
  say(`Pulls ${BASE}.`)
  try {
    await docker(['pull', '--quiet', BASE])
    return BASE
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
    say(`It cannot be pulled (${error.message}).`)
    return makeLocalBase(say)
  }
}

async function isHere(image: string): Promise<boolean> {
  const ids = await docker(['images', '--quiet', image])
  return ids !== ''
}

async function build(tag: string, askedBase: string | undefined): Promise<void> {
  await requireEngine()
  const base = await chooseBase(askedBase)
  say(`Builds ${tag} upon ${base}.`)
  const root = path.dirname(import.meta.dirname)
  const id = await docker([
    'build',
    '--quiet',
    '--force-rm',
    '--build-arg',
    `BASE=${base}`,
    '--tag',
    tag,
    root,
  ])
  say(`Built ${tag}: ${id}\nJudge it with: npm run gate -- --image ${tag}`)
}

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

async function run({ help, tag, base }: Options): Promise<void> {
  if (help) say(HELP)
  else await build(tag, base)
}

function explain(error: unknown): number {
  if (error instanceof DockerError) {
    console.error(`${error.message}\n${error.nextStep}`)
    return EXIT_ENVIRONMENT
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (code?.startsWith('ERR_PARSE_ARGS') !== true) throw error
  console.error(`${message}\nTry npm run image -- --help.`)
  return EXIT_USAGE
}

try {
  await run(parseArgs({ options: OPTIONS }).values)
} catch (error) {
  process.exitCode = explain(error)
}
