/**
 * Cleans up whatever ends this process: a second Ctrl-C, a stray error, the end of patience. What was registered last is cleaned first,
 * so that a process is gone before the folder that it writes to. In an orderly end, whoever registered it cleans up and disposes of this.
 */
export function atExit(clean: () => void): Disposable {
  process.prependOnceListener('exit', clean)
  return { [Symbol.dispose]: () => void process.off('exit', clean) }
}
