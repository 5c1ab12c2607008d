import { ORDERS, shopOrder } from './kit.ts'
import type { Bench, Peer, Reply } from './kit.ts'
import type { Probe } from './probes.ts'

const SERVICES = '/api/v1/services'

function names(reply: Reply): string[] | undefined {
  const services = reply.body.data?.['services'] as { name: string }[] | undefined
  return services?.map((service) => service.name)
}

const short = (reply: Reply): unknown => [reply.status, reply.body.statusCode]

function from(peer: Peer, remoteAddress: string): Promise<Reply> {
  return peer.get(SERVICES, { remoteAddress })
}

async function allowed(
  { peer }: Bench,
  entry: string,
  addresses: readonly string[],
): Promise<unknown> {
  const caller = peer({ allowlist: [entry] })
  return Promise.all(addresses.map(async (address) => (await from(caller, address)).status))
}

/** A key that breaks two rules of the check order at once. */
async function refusedBy(
  { peer, peers }: Bench,
  spec: Parameters<Bench['peer']>[0],
  drain: boolean,
): Promise<unknown> {
  if (!drain) return short(await peer(spec).get(SERVICES))
  const { good, bad } = peers({ good: {}, bad: spec ?? {} })
  for (let sent = 0; sent < 7; sent++) await good.get(SERVICES)
  return short(await bad.get(SERVICES))
}

export const CATALOG_PROBES: Readonly<Record<string, Probe>> = {
  'envelope of a success': async ({ peer }) => {
    const { body } = await peer().get('/whoami')
    return { ...body, data: typeof body.data }
  },
  'envelope of an error': async ({ peer }) => {
    const { headers, body } = await peer().get('/nowhere')
    return [headers['content-type'], body.statusMessage]
  },
  whoami: async ({ peer }) => (await peer().get('/whoami')).body.data?.['callerAddress'],
  'envelope of a body': async ({ peer }) => {
    const { text } = await peer().get('/whoami')
    return text.slice(0, 8) + text.slice(-1)
  },
  'call with an Origin': async ({ peer }) =>
    (await peer().get('/whoami', { headers: [['Origin', 'https://shop.example']] })).status,
  'field of a validation error': async ({ peer }) =>
    (await peer().get(`${SERVICES}?type=nothing`)).body.errors?.map((error) => error.field),
  'validation error': async ({ peer }) => {
    const { status, body } = await peer().get(`${SERVICES}?type=nothing`)
    return [status, body.errors?.map((error) => error.code)]
  },
  'validation error of a format': async ({ peer }) =>
    (await peer().get(`${SERVICES}?limit=ten`)).body.errors?.map((error) => error.code),
  'content type missing': async ({ peer }) =>
    (await peer().post(ORDERS, shopOrder('a'), { contentType: null })).status,
  'content type other': async ({ peer }) =>
    (await peer().post(ORDERS, shopOrder('a'), { contentType: 'text/plain' })).status,
  'content type other, body invalid': async ({ peer }) =>
    (await peer().post(ORDERS, {}, { contentType: 'text/plain' })).status,
  'content type with a charset': async ({ peer }) =>
    (await peer().post(ORDERS, shopOrder('a'), { contentType: 'application/json; charset=utf-8' }))
      .status,
  'revoked key': (bench) => refusedBy(bench, { status: 'revoked' }, false),
  'expired key': (bench) => refusedBy(bench, { status: 'expired' }, false),
  'revoked key without scope': (bench) =>
    refusedBy(bench, { status: 'revoked', scopes: [] }, false),
  'revoked key, window spent': (bench) => refusedBy(bench, { status: 'revoked' }, true),
  'no scope, address outside': async ({ peer }) => {
    const { body } = await peer({ scopes: [], allowlist: ['10.0.0.1'] }).get(SERVICES)
    return body.errorCode
  },
  'no scope, window spent': (bench) => refusedBy(bench, { scopes: [] }, true),
  'address outside, window spent': (bench) => refusedBy(bench, { allowlist: ['10.0.0.1'] }, true),
  'services with product:read': async ({ peer }) =>
    (await peer({ scopes: ['product:read'] }).get(SERVICES)).status,
  'scopes of services': async ({ peer }) =>
    (await peer({ scopes: ['orders:write'] }).get(SERVICES)).status,
  'scopes of creating': async ({ peer }) =>
    (await peer({ scopes: ['product:read'] }).post(ORDERS, shopOrder('a'))).status,
  'scopes of reading': async ({ peer }) =>
    (await peer({ scopes: ['product:read'] }).get(ORDERS)).status,
  'reading with orders:write': async ({ peer }) =>
    (await peer({ scopes: ['orders:write'] }).get(ORDERS)).status,
  'scope refusal': async ({ peer }) => (await peer({ scopes: [] }).get(SERVICES)).body.statusCode,
  'allowlist absent': async ({ peer }) => (await peer().get(SERVICES)).status,
  'allowlist foreign': (bench) => allowed(bench, '10.1.2.3', ['192.168.0.1']),
  'allowlist single': (bench) =>
    allowed(bench, '10.1.2.3', ['10.1.2.3', '10.1.2.2', '10.1.2.4', '10.1.2.34']),
  'allowlist network': (bench) =>
    allowed(bench, '10.1.2.8/29', ['10.1.2.8', '10.1.2.15', '10.1.2.7', '10.1.2.16', '10.1.2.0']),
  'allowlist IPv6 network': (bench) =>
    allowed(bench, '2001:db8:1::/48', ['2001:db8:1::1', '2001:db8:0:ffff::', '2001:db8:2::']),
  'allowlist IPv6 single': (bench) =>
    allowed(bench, '2001:DB8::A', ['2001:db8:0:0:0:0:0:a', '2001:db8::c']),
  'allowlist wildcard': (bench) =>
    allowed(bench, '10.1.*', ['10.1.0.0', '10.1.255.255', '10.0.255.255', '10.2.0.0', '10.10.0.0']),
  'allowlist with a forwarding header': async ({ peer }) => {
    const caller = peer({ allowlist: ['10.1.2.3'] })
    return (await caller.get(SERVICES, { headers: [['X-Forwarded-For', '10.1.2.3']] })).status
  },
  'allowlist message': async ({ peer }) =>
    (await peer({ allowlist: ['10.1.2.3', '10.2.0.0/16'] }).get(SERVICES)).body.statusMessage,
  'services, complete': async ({ peer }) => names(await peer().get(SERVICES)),
  'services, by type': async ({ peer }) => names(await peer().get(`${SERVICES}?type=esim`)),
  'services, searched': async ({ peer }) => names(await peer().get(`${SERVICES}?search=ARCADE`)),
  'services, searched in the middle': async ({ peer }) =>
    names(await peer().get(`${SERVICES}?search=credits`)),
  'services, total with offset alone': async ({ peer }) =>
    (await peer().get(`${SERVICES}?offset=3`)).body.data?.['total'],
  'services, page': async ({ peer }) => names(await peer().get(`${SERVICES}?limit=2`)),
  'services, second page': async ({ peer }) => {
    const found = names(await peer().get(`${SERVICES}?limit=2&offset=2`))
    return found?.[0]
  },
  'services, total': async ({ peer }) =>
    (await peer().get(`${SERVICES}?limit=3`)).body.data?.['total'],
  'item lookup': async ({ peer }) => {
    const wanted = [{ serviceId: 'svc-arcade', itemId: 'nothing' }]
    return (await peer().post('/api/v1/items/lookup', { items: wanted })).body.data
  },
}
