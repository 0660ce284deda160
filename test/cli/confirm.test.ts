import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'
import { CAPTURE, JOB, REFUND, sampleAnswer } from './sample-answers.ts'

const question = vi.fn<(text: string) => Promise<string>>()
vi.mock('node:readline/promises', () => ({ createInterface: () => ({ question, close: () => {} }) }))

const { asked } = askedHub()
const POS = '0f3a6c1de9b24875a1c3e5f708192a3b'
const isTTY = process.stdin.isTTY
beforeEach(() => {
  question.mockClear()
  asked.mockImplementation(async () => Response.json({ id: 'p', disabled: true }))
  process.stdin.isTTY = true
})
afterEach(() => {
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

it.each(['y', 'yes', ' YES '])('pos disable at a terminal continues after %j', async (answer) => {
  question.mockResolvedValue(answer)
  expect((await runHub(['pos', 'disable', POS])).code).toBe(0)
  expect(question).toHaveBeenCalledWith(expect.stringContaining(`Disable a point of sale: ${POS}?`))
  expect(asked).toHaveBeenCalledOnce()
})

it('pos disable --yes does not ask, nor does a script without a terminal', async () => {
  expect((await runHub(['pos', 'disable', POS, '--yes'])).code).toBe(0)
  process.stdin.isTTY = false
  expect((await runHub(['pos', 'disable', POS])).code).toBe(0)
  expect(question).not.toHaveBeenCalled()
  expect(asked).toHaveBeenCalledTimes(2)
})

describe('job refund and job capture', () => {
  const PAID = { ...JOB, status: 'SUCCESS', amountPaid: '12.50', amountDue: '0.00', amountRefunded: '5.00' }
  const RESERVED = { ...JOB, stage: 'authorized', amountAuthorized: '12.50', capturable: '12.50' }
  /** The bodies of requests for refunds and captures. */
  function hub(job: object) {
    const bodies: { id: string; amount?: string }[] = []
    asked.mockImplementation(async (url, init) => {
      const { pathname } = url as URL
      if (pathname.endsWith('/jobs')) return Response.json(sampleAnswer('GET', pathname))
      const [, made] = /\/(refunds|captures)$/.exec(pathname) ?? []
      if (made === undefined) return Response.json(job)
      bodies.push(JSON.parse(init?.body as string) as (typeof bodies)[number])
      return Response.json(made === 'refunds' ? REFUND : CAPTURE)
    })
    return bodies
  }
  const created = new Date(Date.now() - 120_000).toISOString().replace('Z', '000Z')
  const ID = JOB.paymentJob

  it('show the payment that an order number names, and ask with the amount and the shop', async () => {
    const bodies = hub(PAID)
    question.mockResolvedValue('yes')
    expect((await runHub(['job', 'refund', 'A-1', '--amount', '5,0'])).code).toBe(0)
    const text = question.mock.calls[0]?.[0]
    expect(text).toContain('Order A-1 of Shop 1 is SUCCESS: EUR 0.00 due, EUR 12.50 paid')
    expect(text).toContain('EUR 5.00 refunded')
    expect(text).toContain('Give EUR 5.00 back to the customer?')
    expect(bodies).toEqual([{ id: expect.any(String) as string, amount: '5.00' }])
  })

  it.each([
    ['refund', PAID, 'all that is left, EUR 7.50 at most,'],
    ['capture', RESERVED, 'all that is left, EUR 12.50 at most,'],
  ])('of all say how much that is: %s', async (kind, job, told) => {
    const bodies = hub(job)
    question.mockResolvedValue('no')
    expect((await runHub(['job', kind, ID, '--all'])).err).toEqual(['Nothing was changed.'])
    expect(question.mock.calls[0]?.[0]).toContain(told)
    expect(bodies).toEqual([])
  })

  it('with --final say that the rest is released, and ask for it', async () => {
    const bodies = hub(RESERVED)
    question.mockResolvedValue('yes')
    const words = ['--amount', '5.00', '--final', '--description', 'Parcel 1']
    expect((await runHub(['job', 'capture', ID, ...words])).code).toBe(0)
    expect(question.mock.calls[0]?.[0]).toMatch(
      /EUR 12\.50 reserved[^]*Capture EUR 5\.00 .*release the rest\?/,
    )
    expect(bodies).toEqual([
      { id: expect.any(String) as string, amount: '5.00', final: true, description: 'Parcel 1' },
    ])
  })

  const KINDS = [
    ['refund', { ...PAID, refunds: [{ ...REFUND, created }] }],
    ['capture', { ...RESERVED, captures: [{ ...CAPTURE, created }] }],
  ] as const

  it.each(KINDS)(
    'of the same amount within minutes ask again, also with --yes, and end a script: %s',
    async (kind, job) => {
      const bodies = hub(job)
      question.mockResolvedValue('no')
      const words = ['job', kind, ID, '--amount', '5.00', '--yes']
      expect((await runHub(words)).code).toBe(1)
      expect(question.mock.calls[0]?.[0]).toContain(
        `A ${kind} of EUR 5.00 of this payment was asked for 2 min ago.`,
      )
      process.stdin.isTTY = false
      const { code, err } = await runHub(words)
      expect([code, err.join()]).toEqual([1, expect.stringContaining(`name this ${kind} with --key`)])
      expect(bodies).toEqual([])
    },
  )

  it.each([
    ['another amount', { created }, '4.00'],
    ['one that failed', { created, status: 'FAILURE' }, '5.00'],
    ['one of yesterday', {}, '5.00'],
  ])('do not mistake %s for a repetition', async (_, before, amount) => {
    const bodies = hub({ ...PAID, refunds: [{ ...REFUND, ...before }] })
    expect((await runHub(['job', 'refund', ID, '--amount', amount, '--yes'])).code).toBe(0)
    expect(bodies).toHaveLength(1)
  })

  it('with a key are the same each time, another with another key, and no two kinds are one', async () => {
    process.stdin.isTTY = false
    const ids: string[] = []
    for (const [kind, job] of KINDS) {
      const bodies = hub(job)
      for (const key of ['a', 'a', 'b'])
        expect((await runHub(['job', kind, ID, '--amount', '5.00', '--key', key])).code).toBe(0)
      const [first = '', again, other = ''] = bodies.map(({ id }) => id)
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8/)
      expect(again).toBe(first)
      ids.push(first, other)
    }
    expect(new Set(ids).size).toBe(4)
    // Scripts of the CLI of 1.0 may repeat their request: it must not make a second refund.
    expect(ids[0]).toBe('a5a64531-f7c1-8c19-b73d-c2359646f702')
  })

  it('that failed end with 1, and say why', async () => {
    asked.mockImplementation(async (url) =>
      Response.json(
        (url as URL).pathname.endsWith('/captures')
          ? { ...CAPTURE, status: 'FAILURE', error: 'The bank said no.' }
          : RESERVED,
      ),
    )
    expect(await runHub(['job', 'capture', ID, '--all', '--yes'])).toMatchObject({
      code: 1,
      out: ['The capture failed: The bank said no.'],
    })
  })
})

it('job release shows the payment and what is reserved before it asks', async () => {
  asked.mockImplementation(async () =>
    Response.json({ ...JOB, amountAuthorized: '12.50', capturable: '7.50' }),
  )
  question.mockResolvedValue('no')
  expect((await runHub(['job', 'release', JOB.paymentJob])).err).toEqual(['Nothing was changed.'])
  expect(question.mock.calls[0]?.[0]).toMatch(/Order A-1 of Shop 1[^]*Release EUR 7\.50\?/)
  expect(asked.mock.calls.map(([, init]) => init?.method)).toEqual(['GET'])
  expect((await runHub(['job', 'release', JOB.paymentJob, '--yes'])).code).toBe(0)
  const [url, init] = asked.mock.calls.at(-1) ?? []
  expect([init?.method, (url as URL).pathname]).toEqual(['POST', expect.stringMatching(/\/release$/)])
})

it('job cancel shows the payment before it asks', async () => {
  asked.mockImplementation(async () => Response.json(JOB))
  question.mockResolvedValue('no')
  expect((await runHub(['job', 'cancel', JOB.paymentJob])).err).toEqual(['Nothing was changed.'])
  expect(question.mock.calls[0]?.[0]).toContain('Order A-1 of Shop 1 is PENDING')
  expect(asked.mock.calls.map(([, init]) => init?.method)).toEqual(['GET'])
})

it('an export asks before it writes over a file, and not for one that is not there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-out-'))
  const [there, other] = [join(folder, 'jobs.csv'), join(folder, 'other.csv')]
  writeFileSync(there, 'old')
  asked.mockImplementation(async () => new Response('new', { headers: { 'content-type': 'text/csv' } }))
  question.mockResolvedValue('no')
  const words = ['job', 'export', '--out']
  expect((await runHub([...words, there])).err).toEqual(['Nothing was changed.'])
  expect((await runHub([...words, other])).code).toBe(0)
  expect([readFileSync(there, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['old', 'new'])
  expect(question.mock.calls).toEqual([[`${there} already exists. Write over it? (yes/no) `]])
  expect((await runHub([...words, there, '--yes'])).code).toBe(0)
  expect(readFileSync(there, 'utf8')).toBe('new')
  rmSync(folder, { recursive: true })
})
