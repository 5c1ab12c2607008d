/** `node remove-container.ts ID`: removes a container, whatever its state. Run by container-removal.ts when its process ends. */
import { getContainerRuntimeClient } from 'testcontainers'

const [id] = process.argv.slice(2)
if (id === undefined) throw new Error('Expected the id of a container.')
const client = await getContainerRuntimeClient()
await client.container.getById(id).remove({ force: true, v: true })
