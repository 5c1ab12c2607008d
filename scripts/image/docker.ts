/** The docker command, as far as building the image needs it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Docker could not do what was asked. The message is Docker's own last word. */
export class DockerError extends Error {
  readonly nextStep: string

  constructor(message: string, nextStep: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DockerError'
    this.nextStep = nextStep
  }
}

type Failure = Error & { readonly code?: string | number; readonly stderr?: string }

/** What the command printed, trimmed. Throws DockerError when it fails or is not installed. */
export async function docker(args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('docker', [...args])
    return stdout.trim()
  } catch (cause) {
    throw explained(cause as Failure, args)
  }
}

function explained(cause: Failure, args: readonly string[]): DockerError {
  if (cause.code === 'ENOENT')
    return new DockerError(
      'The docker command is not installed.',
      'Install Docker (on Debian: apt-get install docker.io) and start its engine.',
      { cause },
    )
  const said = (cause.stderr ?? '').trim().split('\n').at(-1) ?? ''
  return new DockerError(
    said === '' ? `docker ${args[0]} failed: ${cause.message}` : said,
    `To see all of it, run: docker ${args.join(' ')}`,
    { cause },
  )
}

/** Throws DockerError where no engine answers. */
export async function requireEngine(): Promise<void> {
  try {
    await docker(['version', '--format', '{{.Server.Version}}'])
  } catch (cause) {
    const { message, nextStep } = cause as DockerError
    if (!/daemon|connect/i.test(message)) throw cause
    throw new DockerError(
      `No Docker engine answers: ${message}`,
      `Start it (as root: dockerd), or say where it is with DOCKER_HOST. ${nextStep}`,
      { cause },
    )
  }
}
