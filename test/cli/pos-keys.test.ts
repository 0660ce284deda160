import { describe, expect, it } from 'vitest'
import { askedHub, problem } from './asked-hub.ts'
import { runHub } from './run-hub.ts'

const POS = '0f3a6c1de9b24875a1c3e5f708192a3b'
const { asked } = askedHub()

/** The advice of each command if its answer, which may have a new secret, was lost. */
const ADVICE = {
  'pos create --name x': 'pos rekey ID, pos resecret ID',
  [`pos rekey ${POS}`]: `repeat: pos rekey ${POS}`,
  [`pos resecret ${POS}`]: `shows the same one: pos resecret ${POS}`,
}

describe.each(Object.entries(ADVICE))('hub %s', (line, advice) => {
  it.each<[string, () => Promise<Response>, boolean, number]>([
    ['a 503', async () => problem(503), true, 1],
    ['a broken connection', async () => Promise.reject(new TypeError('fetch failed')), true, 1],
    ['a 404', async () => problem(404), false, 2],
    ['a 422', async () => problem(422), false, 2],
  ])('that ends with %s gives advice about a lost answer: %s', async (_, answer, says, expected) => {
    asked.mockImplementation(answer)
    const { code, out, err } = await runHub(line.split(' '))
    expect({ code, out }).toEqual({ code: expected, out: [] })
    expect(err.join('\n').includes(advice)).toBe(says)
  })
})

const SECRET = { id: 'p', signingSecret: 's', made: '2026-01-31T10:00:00.000Z' }

it.each<[string, object, string[], string[]]>([
  ['new', { repeated: false, formerUntil: null }, ['from now on'], ['same', 'until']],
  [
    'with an overlap',
    { repeated: false, formerUntil: '2026-02-02T10:00:00.000Z' },
    ['until 2026-02-02 10:00:00Z'],
    ['from now on', 'same'],
  ],
  [
    'repeated',
    { repeated: true, formerUntil: null },
    ['made at 2026-01-31 10:00:00Z', 'the same one', '--again'],
    ['until'],
  ],
])('pos resecret says what a secret does that is %s', async (_, answer, says, not) => {
  asked.mockImplementation(async () => Response.json({ ...SECRET, ...answer }))
  const { out } = await runHub(['pos', 'resecret', POS, '--utc'])
  for (const text of says) expect(out.join('\n')).toContain(text)
  for (const text of not) expect(out.join('\n')).not.toContain(text)
})

it.each<[string[], object]>([
  [['update', POS, '--refund-limit', 'EUR 500.00, USD 9'], { refundLimits: ['EUR 500.00', 'USD 9'] }],
  [['update', POS, '--refund-limit', 'none'], { refundLimits: [] }],
  [['rekey', POS, '--can', 'create,read', '--expires', '1y'], { can: ['create', 'read'], expires: '1y' }],
])('pos %j sends %j', async (words, body) => {
  asked.mockImplementation(async () => problem(404))
  await runHub(['pos', ...words])
  const [[address, sent] = []] = asked.mock.calls
  expect(await new Request(address ?? '', sent).json()).toEqual(body)
})
