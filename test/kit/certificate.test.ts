import { expect, it } from 'vitest'
import { type Result, pageOf, sharedMistakes } from '../../src/kit/certify/certificate.ts'
import { readStanding } from '../../src/kit/certify/shop.ts'

function result(name: string, did: string, should: string, what: Result['result'] = 'failed'): Result {
  return { name, does: '', should, result: what, did, steps: [] }
}
const [REFUSED, UNPAID] = ['The shop answered a genuine report with: 401.', 'The shop calls it unpaid.']
const scenarios = [
  result('good', '', 'Be good.', 'passed'),
  result('late', REFUSED, 'Verify it.'),
  result('left-out', 'It needs a client.', '', 'not played'),
  result('odd', UNPAID, 'Compare.'),
  result('paid', REFUSED, 'Verify it.'),
  result('twice', REFUSED, 'Take both.'),
]

it('a mistake that fails several scenarios is said once, with each advice once', () => {
  expect(sharedMistakes(scenarios)).toEqual([
    {
      did: REFUSED,
      failed: 3,
      advice: [
        { should: 'Verify it.', names: ['late', 'paid'] },
        { should: 'Take both.', names: ['twice'] },
      ],
    },
  ])
})

it('a mistake that fails scenarios of every kind comes with the advice of the most', () => {
  const all = ['a', 'b', 'c', 'd', 'd'].map((should, at) => result(`no-${at}`, REFUSED, should))
  const [mistake] = sharedMistakes(all)
  expect(mistake).toMatchObject({ failed: 5, advice: [{ should: 'd' }, { should: 'a' }, { should: 'b' }] })
})

it('the page begins with the mistake, then has what failed, what was not played, and what passed', () => {
  const certificate = { shop: 's', hub: 'h', played: '2026-11-28T10:00:00.000Z', scenarios }
  const page = pageOf({ ...certificate, verdict: 'failed' })
  expect(
    Array.from(page.matchAll(/<details( open)? id="([\w-]+)"/g), ([, open = '', id]) => id + open),
  ).toEqual(['late open', 'odd open', 'paid', 'twice', 'left-out', 'good'])
  expect(page.indexOf('3 scenarios failed:')).toBeLessThan(page.indexOf('<details'))
})

it.each([
  ['{ "paid": "true" }', '"paid" is the text "true", must be true or false'],
  ['{ "paid": true, "refunded": 0 }', '"refunded" is the number 0, must be a text'],
  ['{ "paid": true, "handled": null }', '"handled" is null, must be a number'],
  ['{}', '"paid" is missing'],
  ['[true]', 'paid'],
  ['true', 'without a JSON object'],
  ['<html>', 'without JSON'],
])('the check %s is refused, and why', (text, why) => {
  expect(() => readStanding(200, text)).toThrow(why)
})

it('a check may leave out everything but whether the order is paid', () => {
  expect(readStanding(200, '{ "paid": true, "more": 1 }')).toEqual({ paid: true })
})
