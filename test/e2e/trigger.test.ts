import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { PAYMENTS, SHORT_NAMES } from '../../src/kit/scenarios.ts'
import { runHub } from '../cli/run-hub.ts'
import { openPos } from './clients.ts'
import { openReceiver } from './signed-receiver.ts'

const hub = inject('hub')

const endings: (() => Promise<unknown>)[] = []
beforeAll(() => void vi.stubEnv('HUB_URL', hub.url))
afterAll(async () => {
  vi.unstubAllEnvs()
  for (const end of endings.toReversed()) await end()
})

type TriggerOutput = {
  end: string
  job: { paymentJob: string; status: string; payments: { steps: { creationDate: string; action: string }[] } }
  reports: { status: string; try: number; outcome: string; state: string; nextTry: string | null }[]
}

async function openShop(answer?: Parameters<typeof openReceiver>[1]) {
  const pos = await openPos(hub)
  const receiver = await openReceiver(pos.signingSecret, answer)
  endings.push(receiver.stop)
  const trigger = async (...words: string[]) => {
    // The command reads it before it starts to wait, because other tests run at the same time.
    vi.stubEnv('HUB_API_KEY', pos.apiKey)
    const { code, out, err } = await runHub(['trigger', ...words])
    return { code, out, err: err.join('\n') }
  }
  return { ...receiver, pos, trigger }
}

function outputOf(out: string[]): TriggerOutput {
  return JSON.parse(out.join('\n')) as TriggerOutput
}

/** The statuses that the receiver gets, in order. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  paid: ['SUCCESS'],
  declined: ['FAILURE'],
  cancelled: ['CANCELLED'],
  reserved: ['SUCCESS'],
  expired: ['EXPIRED'],
  'paid-late': ['SUCCESS'],
  'never-arrives': ['FAILURE'],
  'paid-after-expiry': ['EXPIRED', 'SUCCESS'],
  'wrong-amount': ['PENDING'],
  'smallest-amount': ['SUCCESS'],
  'uneven-amount': ['SUCCESS'],
  'no-decimals': ['SUCCESS'],
  'three-decimals': ['SUCCESS'],
  'partial-refund': ['SUCCESS', 'SUCCESS', 'SUCCESS'],
  'refund-fails': ['SUCCESS', 'SUCCESS', 'SUCCESS'],
  chargeback: ['SUCCESS', 'SUCCESS', 'SUCCESS'],
  captured: ['PENDING', 'SUCCESS'],
  'captured-in-parts': ['PENDING', 'PENDING', 'SUCCESS'],
  'captured-in-part': ['PENDING', 'SUCCESS'],
  released: ['PENDING', 'CANCELLED'],
  'capture-fails': ['PENDING', 'CANCELLED'],
  'capture-lost': ['PENDING', 'SUCCESS'],
  'capture-bounces': ['PENDING', 'SUCCESS', 'SUCCESS'],
  'capture-too-late': ['PENDING', 'EXPIRED'],
  'captured-in-time': ['PENDING', 'PENDING', 'SUCCESS'],
  'soft-decline': ['SUCCESS'],
  tip: ['SUCCESS'],
  'terminal-busy': ['FAILURE'],
  'paid-after-cancel': ['SUCCESS'],
  'terminal-silent': ['SUCCESS'],
  'terminal-unplugged': ['FAILURE'],
  held: ['PENDING'],
  tap: ['SUCCESS'],
  pin: ['SUCCESS'],
  'wrong-pin': ['SUCCESS'],
  'terminal-declined': ['FAILURE'],
  off: ['FAILURE'],
  away: ['EXPIRED'],
  refused: ['FAILURE'],
  slow: ['SUCCESS'],
  down: ['SUCCESS'],
}

describe('npx hub trigger', () => {
  it('has every scenario tried here', () => {
    expect(Object.keys(EXPECTED)).toEqual(Object.keys(PAYMENTS))
  })

  it('has short names, each for one of them', () => {
    for (const name of Object.values(SHORT_NAMES)) expect(Object.keys(PAYMENTS)).toContain(name)
    expect(Object.keys(SHORT_NAMES).filter((name) => name in PAYMENTS)).toEqual([])
  })

  it.concurrent.each([...Object.entries(EXPECTED), ['late', ['EXPIRED', 'SUCCESS']] as const])(
    '%s is played to its end, which is reported',
    async (scenario, reported) => {
      const shop = await openShop()
      const { code, out, err } = await shop.trigger(scenario, '--report-url', shop.url, '--json')
      expect([code, err]).toEqual([0, ''])
      const output = outputOf(out)
      expect(output.end).toBe('as expected')
      expect(output.job.status).toBe(reported.at(-1))
      const received = shop.received.map(({ status }) => status)
      expect(received.length).toBeGreaterThan(0)
      // On a slow machine, one report may cover two changes.
      expect(received).toEqual(reported.slice(-received.length))
      expect(shop.refused).toEqual([])
      expect(output.reports.map(({ status, outcome, state }) => [status, outcome, state])).toEqual(
        received.map((status) => [status, '200', 'delivered']),
      )
    },
  )

  it('paid ends when its trace is whole: the customer came back, and the PSP has notified the hub', async () => {
    const shop = await openShop()
    const { out } = await shop.trigger('paid', '--report-url', shop.url, '--json')
    const { steps } = outputOf(out).job.payments
    const [first, ...others] = steps.map(({ action }) => action)
    // On a busy machine the notification may come before the customer.
    expect([first, others.toSorted()]).toEqual(['Start', ['Return', 'Statuspull']])
  })

  it('shows the trace and the tries, one that ends after the time too, and ends with 1 while the report is owed', async () => {
    const shop = await openShop(async () => {
      await pause(8000)
      return new Response(null, { status: 500 })
    })
    const { code, out } = await shop.trigger('paid', '--report-url', shop.url, '--wait', '6s')
    expect(code).toBe(1)
    const text = out.join('\n')
    expect(text).toMatch(/^paid: The customer pays, and comes back\. Payment job [0-9a-f-]{36}$/m)
    expect(text).toMatch(/^20\d\d-\d\d-\d\d \S+ +Start +PENDING +12\.50 +0\.00$/m)
    expect(text).toMatch(/ +TRIGGER-\d+ +SUCCESS +EUR 12\.50 +1 +500 +\d+ +msg_\S+$/m)
    expect(out.at(-1)).toMatch(
      /^The job is SUCCESS, but its report was not delivered in time: 1 try; the next try is at 20\S+ \S+\.$/,
    )
  })

  it('--advance plays all tries of a report in seconds, on a clock that only goes on', async () => {
    const shop = await openShop(() => new Response(null, { status: 500 }))
    const start = Date.now()
    const { code, out } = await shop.trigger('paid', '--report-url', shop.url, '--advance', '4d', '--json')
    expect(code).toBe(1)
    const output = outputOf(out)
    expect(output.end).toBe('given up')
    expect(output.reports.map(({ try: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(Date.now() - start).toBeLessThan(30_000)
    expect(shop.refused).toEqual([])
    const [report] = await shop.pos.reportsOf(output.job.paymentJob)
    const times = report?.attempts.map(({ at }) => Date.parse(at)) ?? []
    expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
    expect(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 3_600_000).toBeGreaterThan(65)
  }, 180_000)

  it('refuses a word, a time and a key that are none', async () => {
    const shop = await openShop()
    const [word, time, url] = await Promise.all([
      shop.trigger('piad'),
      shop.trigger('paid', '--wait', 'long'),
      shop.trigger('paid', '--report-url', 'http://shop.nl/report'),
    ])
    expect(word).toMatchObject({
      code: 2,
      out: [],
      err: expect.stringContaining('There is no scenario "piad"') as string,
    })
    expect(time).toMatchObject({ code: 2, err: expect.stringContaining('--wait must be a time') as string })
    expect(url).toMatchObject({ code: 2, err: expect.stringContaining('report_url must be') as string })
  })
})
