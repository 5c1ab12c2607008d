import { expect, test } from 'vitest'
import { unreachable } from './unreachable.ts'

test.each([
  ['UND_ERR_INVALID_ARG', 'Proxy Authentication Required (407) (through the proxy 10.0.0.1:3128)'],
  [
    'UND_ERR_ABORTED',
    'Proxy response (407) !== 200 when HTTP Tunneling (through the proxy 10.0.0.1:3128)',
  ],
])('a proxy that wants a password is what refuses, not the target: %s', (code, message) => {
  const { message: told, nextStep } = unreachable({ code, message }, 'https://shop.example')
  expect(told).toBe(
    'https://shop.example is not reached: the proxy 10.0.0.1:3128 refuses with HTTP 407',
  )
  expect(nextStep).toContain('user and password')
})
