import { expect, it } from 'vitest'
import { isOutage } from '../../../src/platform/http/routes.ts'

function withCause(cause: unknown) {
  return new Error('it failed', { cause })
}

it.each([
  ['an object that has too much to do', Object.assign(new Error('busy'), { overloaded: true })],
  ['an object that may be asked again', Object.assign(new Error('moving'), { retryable: true })],
  ['D1', new Error('D1_ERROR: Network connection lost.')],
  ['KV', new Error('KV GET failed: 500 Internal Server Error')],
  ['D1, in the words of those who asked it', withCause(new Error('D1_ERROR: Network connection lost.'))],
])('%s is an outage', (_, error) => {
  expect(isOutage(error)).toBe(true)
})

it.each([
  ['a fault of ours', new Error('it failed')],
  ['a fault of ours that has another for its cause', withCause(new TypeError('undefined is no function'))],
  ['an object that must not be asked again', Object.assign(new Error('reset'), { retryable: false })],
  ['a thrown text', 'D1_ERROR'],
])('%s is not an outage', (_, error) => {
  expect(isOutage(error)).toBe(false)
})
