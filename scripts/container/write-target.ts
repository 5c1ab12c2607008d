/** Writes the target file that the image carries, while the image is built. Its addresses are those inside of the container. */
import { writeFileSync } from 'node:fs'
import { targetFile } from '../../reference/target.ts'

const [path, port, controlPort] = process.argv.slice(2)
if (path === undefined || port === undefined || controlPort === undefined)
  throw new Error('Expected: write-target.ts FILE PORT CONTROL_PORT')
const content = targetFile(`http://127.0.0.1:${port}`, `http://127.0.0.1:${controlPort}`)
writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
