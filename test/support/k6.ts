import { findK6 } from '../../harness/load/k6/k6-binary.ts'
import type { K6Binary } from '../../harness/load/k6/k6-version.ts'

/** Whatever is at hand, looked for once: building one would take longer than all other tests together. */
export const k6AtHand: K6Binary | undefined = await findK6({
  env: process.env,
  onProgress: () => undefined,
  sources: ['K6_BIN', 'PATH', 'cache'],
}).catch(() => undefined)
