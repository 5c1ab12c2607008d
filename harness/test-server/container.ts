/**
 * The target in a container: any image that brings its target file along. testcontainers starts it and publishes its ports on loopback
 * alone. Its target file describes it, as with any server.
 */
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import type { ContainerRuntimeClient, StartedTestContainer } from 'testcontainers'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { HarnessError } from '../errors.ts'
import { removeAtExit } from './container-removal.ts'
import { readImage, type ImageTarget } from './container-image.ts'
import { isLoopback } from '../network/loopback.ts'
import {
  CONTROL_TOKEN_VARIABLE,
  TARGET_VARIABLES,
  type Environment,
  type TargetFlags,
} from '../target-file/options.ts'
import { resolveDocument } from '../target-file/resolve-document.ts'
import { shortLimits } from './short-limits.ts'
import type { Target } from '../target-file/target.ts'

export type ContainerOptions = {
  readonly image: string
  readonly flags: TargetFlags
  readonly env: Environment
  /** Asked of the reference service; other images pay no heed to it. */
  readonly windowSeconds: number
}

export type ContainerTarget = AsyncDisposable & {
  readonly target: Target
  readonly hazards: readonly string[]
}

const TOKEN_BYTES = 24
const STARTUP_MS_MAX = 30_000
const POLL_MS = 250
const STOP_MS_MAX = 10_000
const MESSAGE_CHARACTERS_MAX = 600

/** Starts the image and waits until it answers. Throws E_ENVIRONMENT_ENGINE or E_ENVIRONMENT_IMAGE when it cannot. */
export async function startContainer(options: ContainerOptions): Promise<ContainerTarget> {
  const { image, windowSeconds, flags, env } = options
  const client = await findEngine()
  const described = await readImage(client, image)
  const removal = removeAtExit()
  const container = new PublishedContainer(image, described, removal.watch)
    .withEnvironment(settingsOf(described, windowSeconds))
    .withWaitStrategy(answersHttp(described))
    .withStartupTimeout(STARTUP_MS_MAX)
    // Its remover is an image of its own, which cannot be pulled everywhere; we remove what we start.
    .withAutoCleanup(false)
  const started = await startAwake(container).catch((cause: unknown) => {
    removal.done()
    throw notStarted(image, cause)
  })
  const stop = async (): Promise<void> => {
    await stopContainer(started)
    removal.done()
  }
  try {
    const { hazards, ...target } = resolveDocument(publishedFile(described, started), {
      name: image.replaceAll(/[^\w.-]+/g, '-'),
      flags,
      env: described.controlPort === undefined ? keysOf(env) : {},
    })
    const name = flags.name ?? `${target.name} (image ${image})`
    return {
      target: {
        ...target,
        name,
        kind: 'image',
        image: described.digest,
        ...(await seenOf(client, started)),
      },
      hazards,
      [Symbol.asyncDispose]: stop,
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** The process of the container. An engine in a machine of its own gives a number that means another process here, or none. */
async function seenOf(
  { container: containers }: ContainerRuntimeClient,
  started: StartedTestContainer,
): Promise<Pick<Target, 'processId'>> {
  const id = started.getId()
  const { State } = await containers.inspect(containers.getById(id))
  const groups = await readFile(`/proc/${State.Pid}/cgroup`, 'utf8').catch(() => '')
  return groups.includes(id) ? { processId: State.Pid } : {}
}

/** The library reads the log of a container that ended at once from a socket that does not keep this process alive. */
async function startAwake(container: GenericContainer): Promise<StartedTestContainer> {
  const awake = setInterval(() => {}, POLL_MS)
  try {
    return await container.start()
  } finally {
    clearInterval(awake)
  }
}

/** Everything but another target's address. */
function keysOf(env: Environment): Environment {
  return { ...env, [TARGET_VARIABLES.target]: undefined, [TARGET_VARIABLES.baseUrl]: undefined }
}

/**
 * Through a socket of this machine the engine publishes ports on this machine's loopback. Otherwise the library takes a machine that was
 * made from a container image for a container, and looks for the engine at a gateway.
 */
function expectLoopback({ DOCKER_HOST: engine = '' }: NodeJS.ProcessEnv): void {
  if (engine === '' || engine.startsWith('unix:'))
    process.env['TESTCONTAINERS_HOST_OVERRIDE'] ??= '127.0.0.1'
}

async function findEngine(): Promise<ContainerRuntimeClient> {
  expectLoopback(process.env)
  const client = await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new HarnessError(
      'E_ENVIRONMENT_ENGINE',
      'no Docker engine answers',
      'Install Docker and start its engine (on Debian, as root: apt-get install docker.io; dockerd), or say where it is with DOCKER_HOST.',
      { cause },
    )
  })
  const { host } = client.info.containerRuntime
  if (isLoopback(`http://${host}`)) return client
  throw new HarnessError(
    'E_ENVIRONMENT_ENGINE',
    `the Docker engine runs on another machine (${host}), and ports are published on its loopback only`,
    'Run the harness on that machine, or start the container there yourself and pass --base-url or --target.',
  )
}

/** Publishes ports on 127.0.0.1: the control side makes keys, so nobody else may reach it through this machine. */
class PublishedContainer extends GenericContainer {
  readonly #onCreated: (id: string) => void

  constructor(image: string, { port, controlPort }: ImageTarget, onCreated: (id: string) => void) {
    super(image)
    this.#onCreated = onCreated
    const ports = [port, ...(controlPort === undefined ? [] : [controlPort])]
    this.withExposedPorts(...ports)
    this.hostConfig.PortBindings = Object.fromEntries(
      ports.map((each) => [`${each}/tcp`, [{ HostIp: '127.0.0.1', HostPort: '0' }]]),
    )
  }

  protected override containerCreated(id: string): Promise<void> {
    this.#onCreated(id)
    return Promise.resolve()
  }
}

/** Any answer will do, even a refusal. A wait for listening ports would need a shell in the image. */
function answersHttp({ port, file }: ImageTarget): ReturnType<typeof Wait.forHttp> {
  const path = `${new URL(file.baseUrl).pathname.replace(/\/$/, '')}/whoami`
  return Wait.forHttp(path, port, { abortOnContainerExit: true })
    .forStatusCodeMatching(() => true)
    .withReadTimeout(POLL_MS)
}

/** The control side listens beyond the container's loopback only because this asks for it, and asks for the token of this run. */
function settingsOf({ controlPort }: ImageTarget, windowSeconds: number): Record<string, string> {
  const limits = Object.entries(shortLimits(windowSeconds)).map(
    ([bucket, { count, windowSeconds }]) => `${bucket}=${count}/${windowSeconds}`,
  )
  return {
    ...(limits.length > 0 ? { REFERENCE_LIMIT: limits.join(',') } : {}),
    ...(controlPort === undefined
      ? {}
      : {
          REFERENCE_CONTROL_HOST: '0.0.0.0',
          REFERENCE_CONTROL_PORT: String(controlPort),
          REFERENCE_CONTROL_TOKEN: controlToken(),
        }),
  }
}

/** The threads that carry checks out read it where they read keys: in the environment. */
function controlToken(): string {
  return (process.env[CONTROL_TOKEN_VARIABLE] ||= randomBytes(TOKEN_BYTES).toString('base64url'))
}

/** The image's target file with the addresses as seen from here. Where fresh accounts can be made, they replace its credentials. */
function publishedFile(
  { file, port, controlPort }: ImageTarget,
  started: StartedTestContainer,
): object {
  const at = (address: string, inside: number): string => {
    const url = new URL(address)
    url.host = `127.0.0.1:${started.getMappedPort(inside)}`
    return url.href
  }
  const { control, credentials, ...rest } = file
  const baseUrl = at(file.baseUrl, port)
  if (control === undefined || controlPort === undefined) return { ...rest, baseUrl, credentials }
  return { ...rest, baseUrl, control: { baseUrl: at(control.baseUrl, controlPort) } }
}

function notStarted(image: string, cause: unknown): HarnessError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new HarnessError(
    'E_ENVIRONMENT_IMAGE',
    `a container of ${image} did not start, or gave no HTTP answer within ${STARTUP_MS_MAX / 1000} s: ${reason.slice(-MESSAGE_CHARACTERS_MAX)}`,
    `Look at it with: docker run --rm ${image}. If this process runs in a container that borrows the engine's socket, it cannot reach the engine's loopback: run it outside.`,
    { cause },
  )
}

const NOT_FOUND = 404

/** By SIGTERM first, as an orchestrator would. A container that is gone already is no trouble. */
async function stopContainer(started: StartedTestContainer): Promise<void> {
  try {
    await started.stop({ timeout: STOP_MS_MAX })
  } catch (cause) {
    if ((cause as { statusCode?: unknown }).statusCode !== NOT_FOUND) throw cause
  }
}
