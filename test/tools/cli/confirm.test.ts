import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runHub } from './run-hub.ts'

const question = vi.fn<(text: string) => Promise<string>>()
vi.mock('node:readline/promises', () => ({ createInterface: () => ({ question, close: () => {} }) }))

const asked = vi.fn<typeof fetch>(async () => Response.json({ id: 'p', disabled: true }))
const POS = '0f3a6c1de9b24875a1c3e5f708192a3b'
const isTTY = process.stdin.isTTY
beforeEach(() => {
  vi.clearAllMocks()
  vi.stubGlobal('fetch', asked)
  vi.stubEnv('HUB_URL', 'http://localhost:1')
  vi.stubEnv('OPERATOR_TOKEN', 'token')
  process.stdin.isTTY = true
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  process.stdin.isTTY = isTTY
})

it.each(['', 'n', 'no', 'p', 'yesterday'])(
  'pos disable at a terminal changes nothing after %j',
  async (answer) => {
    question.mockResolvedValue(answer)
    expect(await runHub(['pos', 'disable', POS])).toEqual({ code: 1, out: [], err: ['Nothing was changed.'] })
    expect(asked).not.toHaveBeenCalled()
  },
)

it.each(['y', 'yes', ' YES '])('pos disable at a terminal goes on after %j', async (answer) => {
  question.mockResolvedValue(answer)
  expect((await runHub(['pos', 'disable', POS])).code).toBe(0)
  expect(question).toHaveBeenCalledWith(expect.stringContaining(`Disable point of sale ${POS}?`))
  expect(asked).toHaveBeenCalledOnce()
})

it('pos disable --yes does not ask, nor does a script without a terminal', async () => {
  expect((await runHub(['pos', 'disable', POS, '--yes'])).code).toBe(0)
  process.stdin.isTTY = false
  expect((await runHub(['pos', 'disable', POS])).code).toBe(0)
  expect(question).not.toHaveBeenCalled()
  expect(asked).toHaveBeenCalledTimes(2)
})
