import { expect, it } from 'vitest'
import { askedHub, problem } from './asked-hub.ts'
import { runHub } from './run-hub.ts'

const { asked, answer } = askedHub()
const DAYS = { days: ['2026-01-31'] }
const PAGE = { jobs: 2, wrong: [], wrongHours: [], next: null }

it('index rebuild ends with 1 and names the jobs that this release cannot read', async () => {
  answer(DAYS, { ...PAGE, wrong: ['lost'], next: 'x' }, PAGE)
  const { code, out } = await runHub(['index', 'rebuild'])
  expect([code, out[0], out[1]]).toEqual([1, 'jobs         4', 'wrong        lost'])
})

it('index rebuild ends with 1 when a page fails, after it said where to go on', async () => {
  answer(DAYS, { ...PAGE, next: 'x' })
  asked.mockImplementationOnce(async () => problem(503, 'later'))
  const { code, out, err } = await runHub(['index', 'rebuild'])
  expect({ code, out }).toEqual({ code: 1, out: [] })
  expect(err).toEqual([expect.stringContaining('--from 2026-01-31'), expect.stringContaining('503: later')])
})

it('what a hub says of its refusal cannot act on the terminal', async () => {
  asked.mockImplementationOnce(async () => problem(422, 'no \u001b[2Jshop \u202e'))
  const { err } = await runHub(['index', 'rebuild'])
  expect(err.join()).toContain('no \uFFFD[2Jshop \uFFFD')
})
