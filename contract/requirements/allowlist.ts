import { entries } from './entries.ts'

/** The address list of a key, and the operation that tells a caller its address. */
export const ALLOWLIST = entries('Authentication', 'allowlist', {
  'ALLOW-01': {
    source: ['rule 4 sentence 1', 'Resources and their fields > API key: paragraph 1 sentence 1'],
    text: 'A key whose allowlist is empty or absent may call from any address.',
    capability: 'base',
  },
  'ALLOW-02': {
    source: ['rule 2.4', 'paragraph 2 sentence 2', 'Errors: row 403'],
    text: "A call from an address outside the key's allowlist is answered by HTTP 403.",
  },
  'ALLOW-03': {
    source: ['rule 2.4', 'rule 4 sentence 2'],
    text: "A call from an address inside the key's allowlist passes.",
  },
  'ALLOW-04': {
    source: ['row IPv4 single', 'rule 4 sentence 2'],
    text: 'An entry that is one IPv4 address lets in that address and no other.',
  },
  'ALLOW-05': {
    source: ['row IPv4 CIDR', 'rule 4 sentence 2'],
    text: 'An entry that is an IPv4 network in CIDR form lets in its first and its last address and neither neighbour.',
  },
  'ALLOW-06': {
    source: ['row IPv4 wildcard (legacy)', 'rule 4 sentence 2'],
    text: 'An IPv4 entry that ends in stars lets in every address that begins with its leading octets, and no other.',
  },
  'ALLOW-07': {
    source: ['row IPv6 single', 'rule 4 sentence 2'],
    text: 'An entry that is one IPv6 address lets in that address, however it is written, and no other.',
  },
  'ALLOW-08': {
    source: ['row IPv6 CIDR', 'rule 4 sentence 2'],
    text: 'An entry that is an IPv6 network in CIDR form lets in its first and its last address and neither neighbour.',
  },
  'ALLOW-09': {
    source: ['paragraph 2 sentence 2'],
    text: 'The message of an allowlist 403 begins with "Forbidden:" and says that the caller IP is not in the allowlist of this key.',
  },
  'ALLOW-10': {
    source: ['paragraph 2 sentence 2', 'paragraph 2 sentence 3'],
    text: "The message of an allowlist 403 gives the caller's own address.",
  },
  'ALLOW-11': {
    source: ['paragraph 2 sentence 3'],
    text: "No part of an allowlist 403 shows an entry of the key's allowlist.",
  },
  'ALLOW-12': {
    source: ['paragraph 2 sentence 1'],
    text: 'An IPv6 entry with a wildcard is turned down; CIDR takes its place.',
    excluded: 'Entries are set in the control plane, so no data-plane request can offer one.',
  },
  'WHO-01': {
    section: 'Endpoints > GET /whoami',
    source: ['paragraph 1 sentence 1'],
    text: 'The answer of /whoami contains the address that the service takes the caller to have.',
    capability: 'base',
  },
  'WHO-02': {
    section: 'Endpoints > GET /whoami',
    source: ['paragraph 1 sentence 1', 'Authentication: paragraph 2 sentence 3'],
    text: 'The address that /whoami gives is the one that an allowlist 403 names to the same caller.',
  },
})
