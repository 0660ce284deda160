import * as v from 'valibot'
import { expect, it } from 'vitest'
import { Capture, NewCapture } from '../../src/contract/instruction.ts'
import { PaymentJob } from '../../src/contract/payment-job.ts'
import { blocksOf, read } from './documents.ts'

const PAGE = read('docs/pos/captures.md')

it('the hub takes each capture of the page', () => {
  const bodies = Array.from(PAGE.matchAll(/ -d '(\{.*?\})'/g), ([, body = '']) => body)
  expect(bodies.length).toBeGreaterThan(1)
  for (const body of bodies) v.parse(NewCapture, JSON.parse(body))
})

it('each answer of the page has the members of an answer, and no others', () => {
  const answers = blocksOf(PAGE, 'json').map((block) => JSON.parse(block) as Record<string, unknown>)
  const [job = {}, capture = {}] = answers.slice(1)
  expect(Object.keys(capture)).toEqual(Object.keys(Capture.entries))
  expect(Object.keys(PaymentJob.entries)).toEqual(expect.arrayContaining(Object.keys(job)))
})

it('each request of the page that changes money has its own key, except the release', () => {
  const changes = blocksOf(PAGE, 'sh').filter((block) => !block.includes('/release'))
  const keys = changes.map((block) => /Idempotency-Key: ([\w-]+)/.exec(block)?.[1])
  expect(keys).not.toContain(undefined)
  expect(new Set(keys).size).toBe(keys.length)
})
