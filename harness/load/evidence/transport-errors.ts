/** What k6's error codes for requests without an answer mean (k6 documentation, "Error codes"). */
const MEANINGS: Readonly<Record<string, string>> = {
  1050: 'no answer in time',
  1101: 'the host has no address',
  1110: 'the address is blocked',
  1111: 'the host is blocked',
  1201: 'the connection was closed while sending',
  1211: 'connecting took too long',
  1212: 'the connection was refused',
  1220: 'the connection was reset',
  1310: 'the certificate is of an unknown authority',
  1311: 'the certificate is of another host',
  1701: 'the answer cannot be unpacked',
}

/** The families, by their first two digits. */
const FAMILIES: Readonly<Record<string, string>> = {
  10: 'the request could not be made',
  11: 'the name could not be resolved',
  12: 'the connection failed',
  13: 'TLS failed',
  16: 'HTTP/2 failed',
  17: 'the answer is malformed',
}

/** The same in brackets, to be put behind what came of it; empty without a code. */
export function transportErrorNote(code: number | undefined): string {
  return code === undefined ? '' : ` (${describeTransportError(code)})`
}

/** Why a request had no answer, in words and by k6's code. */
export function describeTransportError(code: number): string {
  const meaning = MEANINGS[code] ?? FAMILIES[Math.floor(code / 100)]
  return meaning === undefined ? `k6 error code ${code}` : `${meaning}, k6 error code ${code}`
}
