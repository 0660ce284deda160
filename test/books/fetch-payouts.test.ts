import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type FetchResult, fetchPage } from '../../src/books/fetch-payouts.ts'
import { unavailable } from '../../src/psp/http-client.ts'
import type { LinePage, ListedPayout, PayoutPage, PayoutSource } from '../../src/psp/payouts/payouts.ts'
import type { Psp } from '../../src/psp/port.ts'
import { stripePayouts } from '../../src/psp/stripe/payouts.ts'
import { operate } from '../support/hub/operator.ts'
import { addAccount, pspWorld } from '../support/psp-world.ts'

const SILENCE = { ok: false, error: unavailable('503') } as const
const payout = (id: string): ListedPayout => ({
  id,
  key: id,
  currency: 'EUR',
  amount: 970,
  paidAt: 1_793_000_000_000,
})
const line = {
  kind: 'payment',
  at: 0,
  job: null,
  reference: null,
  orderNumber: null,
  gross: 1000,
  fee: 30,
  text: '',
} as const
const LINES: LinePage = { lines: [line], next: null }

/** A PSP with pages of one payout each; `po-1` is the oldest. */
function pagesOf(count: number, changes: Partial<Record<string, LinePage | typeof SILENCE>> = {}) {
  const asked: string[] = []
  const down = new Set<string>()
  const pages = Array.from({ length: count }, (_, at) => `po-${count - at}`)
  const source: PayoutSource = {
    async payouts(after) {
      const id = after ?? pages[0] ?? ''
      asked.push(id)
      if (down.has(id)) return SILENCE
      const next = pages[pages.indexOf(id) + 1] ?? null
      return { ok: true, value: { payouts: [payout(id)], next } satisfies PayoutPage }
    },
    async lines({ id }) {
      const told = changes[id] ?? LINES
      return 'ok' in told ? told : { ok: true, value: told }
    },
  }
  return { source, asked, down, pages, changes }
}

/** Fetches to the end, or until the PSP is silent, for at most `most` pages. */
async function fetchAll(account: string, source: PayoutSource, most = 40) {
  const all: FetchResult[] = []
  let after: string | undefined
  while (all.length < most) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fetch asks only for payouts
    const page = await fetchPage(env, account, { payouts: source } as Psp, after)
    if (!page?.ok) return { is: 'broken off', leftOut: all.flatMap((one) => one.leftOut) }
    all.push(page.value)
    if (page.value.next === null) return { is: 'ended', leftOut: all.flatMap((one) => one.leftOut) }
    after = page.value.next
  }
  return { is: 'endless', leftOut: [] }
}
const newAccount = () => `psp-${crypto.randomUUID().slice(0, 8)}`
async function booked(account: string): Promise<string[]> {
  const whole = 'select id from payouts where account = ? and is_whole order by id'
  const { results } = await env.DB.prepare(whole).bind(account).all<{ id: string }>()
  return results.map(({ id }) => id)
}

it('a booked payout that the bank returned is reported, and so is the line that gives it back', async () => {
  const account = newAccount()
  const stripe = (id: string, status: string) => ({
    id,
    status,
    amount: 970,
    currency: 'eur',
    arrival_date: 1_793_000_000,
  })
  const entry = { id: 'txn', fee: 0, currency: 'eur', created: 1_793_000_000 }
  const paid = { ...entry, amount: 970, type: 'charge', reporting_category: 'charge' }
  const back = { ...paid, type: 'payout_failure', reporting_category: 'payout_reversal' }
  const sourceOf = (payouts: object[], transaction: object) =>
    stripePayouts(async (_, path) => {
      const data = path.startsWith('/v1/payouts') ? payouts : [transaction]
      return { is: 'answered', status: 200, body: { data, has_more: false } }
    })
  await fetchAll(account, sourceOf([stripe('po_1', 'paid')], paid))
  const payouts = [stripe('po_2', 'paid'), stripe('po_1', 'failed'), stripe('po_0', 'failed')]
  const { leftOut } = await fetchAll(account, sourceOf(payouts, back))
  expect(leftOut.map(({ payout: id }) => id)).toEqual(['po_1'])
  const lines = env.DB.prepare('select finding from payout_lines where account = ? and payout = ?')
  expect(await lines.bind(account, 'po_2').first('finding')).toBe('payout-returned')
  const marked = env.DB.prepare('select id from payouts where account = ? and returned_at is not null')
  expect((await marked.bind(account).all()).results).toEqual([{ id: 'po_1' }])
})

describe('a payout that the books cannot take', () => {
  it.each<[string, LinePage | typeof SILENCE]>([
    ['because the PSP does not show its lines', SILENCE],
    ['because its amount is out of bounds', { lines: [{ ...line, gross: 1e15 }], next: null }],
    ['because no month has its time', { lines: [{ ...line, at: 9e15 }], next: null }],
    ['because its pages return to an earlier one', { lines: [line], next: 'again' }],
  ])('%s is skipped and reported, and the next fetch tries it again', async (_, told) => {
    const account = newAccount()
    const { source, changes } = pagesOf(3, { 'po-2': told })
    expect(await fetchAll(account, source)).toMatchObject({ is: 'ended', leftOut: [{ payout: 'po-2' }] })
    expect(await booked(account)).toEqual(['po-1', 'po-3'])
    expect(await fetchAll(account, source)).toMatchObject({ is: 'ended', leftOut: [{ payout: 'po-2' }] })
    delete changes['po-2']
    expect(await fetchAll(account, source)).toEqual({ is: 'ended', leftOut: [] })
    expect(await booked(account)).toEqual(['po-1', 'po-2', 'po-3'])
  })

  it('because it changed while the hub read it is not booked in part', async () => {
    const account = newAccount()
    let amount = 970
    const source: PayoutSource = {
      payouts: async () => ({ ok: true, value: { payouts: [{ ...payout('po-1'), amount }], next: null } }),
      async lines(_, after) {
        amount = after === null ? 971 : 970
        return { ok: true, value: { lines: [line], next: after === null ? 'second' : null } }
      },
    }
    expect(await fetchAll(account, source)).toMatchObject({ is: 'ended', leftOut: [{ payout: 'po-1' }] })
    expect(await booked(account)).toEqual([])
  })

  it('because another call began it again is not counted', async () => {
    const account = newAccount()
    const source: PayoutSource = {
      payouts: async () => ({ ok: true, value: { payouts: [payout('po-1')], next: null } }),
      async lines(_, after) {
        if (after !== null)
          await env.DB.prepare('delete from payout_lines where account = ?').bind(account).run()
        return { ok: true, value: { lines: [line], next: after === null ? 'second' : null } }
      },
    }
    expect(await fetchAll(account, source)).toMatchObject({ is: 'ended', leftOut: [{ payout: 'po-1' }] })
    expect(await booked(account)).toEqual([])
  })

  it.each([[[]], [['po-2']]])(
    'because its page cannot show it is tried again after booked pages, as one of %j',
    async (beside) => {
      const account = newAccount()
      const leftOut = [{ payout: 'po-x', why: 'in USDC' }]
      const pages: PayoutPage[] = [
        { payouts: [payout('po-3')], next: '1' },
        { payouts: beside.map(payout), leftOut, next: '2' },
        { payouts: [payout('po-1')], next: null },
      ]
      const source: PayoutSource = {
        payouts: async (after) => ({ ok: true, value: pages[Number(after)] ?? { payouts: [], next: null } }),
        lines: async () => ({ ok: true, value: LINES }),
      }
      for (const _ of [1, 2]) expect(await fetchAll(account, source)).toEqual({ is: 'ended', leftOut })
    },
  )

  it('because its page cannot show it is reported once, and the other payouts of the page are booked', async () => {
    const account = newAccount()
    const leftOut = [{ payout: 'po-2', why: 'in USDC' }]
    const payouts = ['po-3', 'po-1'].map(payout)
    const source: PayoutSource = {
      payouts: async () => ({ ok: true, value: { payouts, leftOut, next: null } }),
      lines: async () => ({ ok: true, value: LINES }),
    }
    expect(await fetchAll(account, source)).toEqual({ is: 'ended', leftOut })
    expect(await booked(account)).toEqual(['po-1', 'po-3'])
  })
})

describe('a fetch', () => {
  it('that was broken off gets the rest later, after what is booked, and then stops there', async () => {
    const account = newAccount()
    const { source, asked, down } = pagesOf(3)
    down.add('po-1')
    expect(await fetchAll(account, source)).toMatchObject({ is: 'broken off' })
    expect(await booked(account)).toEqual(['po-2', 'po-3'])
    down.clear()
    expect(await fetchAll(account, source)).toMatchObject({ is: 'ended' })
    expect(await booked(account)).toEqual(['po-1', 'po-2', 'po-3'])
    asked.length = 0
    await fetchAll(account, source)
    expect(asked).toEqual(['po-3'])
  })

  it('that was broken off after all was booked leaves no gap either', async () => {
    const account = newAccount()
    const { source, down, pages, asked } = pagesOf(2)
    await fetchAll(account, source)
    pages.unshift('po-5', 'po-4', 'po-3')
    down.add('po-4')
    expect(await fetchAll(account, source)).toMatchObject({ is: 'broken off' })
    down.clear()
    await fetchAll(account, source)
    expect(await booked(account)).toEqual(['po-1', 'po-2', 'po-3', 'po-4', 'po-5'])
    asked.length = 0
    await fetchAll(account, source)
    expect(asked).toEqual(['po-5'])
  })

  it('does not take imported payouts as a sign that all older ones are booked', async () => {
    const account = await addAccount(pspWorld('stripe'))
    const { source, pages } = pagesOf(1)
    await fetchAll(account, source)
    pages.unshift('po-3', 'po-2')
    const part = {
      id: 'po-3',
      currency: 'EUR',
      amount: 970,
      paidAt: 1_793_000_000_000,
      from: 1,
      total: 0,
      lines: [],
    }
    await operate('POST', `/books/accounts/${account}/payouts`, part)
    await fetchAll(account, source)
    expect(await booked(account)).toEqual(['po-1', 'po-2', 'po-3'])
  })

  it('with a place of an earlier release begins again', async () => {
    const { source, asked } = pagesOf(2)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fetch asks only for payouts
    const page = await fetchPage(env, newAccount(), { payouts: source } as Psp, 'po-1|1||0')
    expect([page?.ok && page.value.payouts, asked]).toEqual([1, ['po-2']])
  })

  it('continues with its payout even if a new one has come before it', async () => {
    const account = newAccount()
    const payouts = ['po-2', 'po-1'].map(payout)
    const read: string[] = []
    const source: PayoutSource = {
      payouts: async () => ({ ok: true, value: { payouts: [...payouts], next: null } }),
      async lines({ id }, after) {
        read.push(`${id} ${after}`)
        if (id === 'po-2' && after === null) payouts.unshift(payout('po-3'))
        return { ok: true, value: { lines: [line], next: after === null ? 'second' : null } }
      },
    }
    expect(await fetchAll(account, source)).toEqual({ is: 'ended', leftOut: [] })
    expect(read).toEqual(['po-2 null', 'po-2 second', 'po-1 null', 'po-1 second'])
    expect(await booked(account)).toEqual(['po-1', 'po-2'])
    await fetchAll(account, source)
    expect(await booked(account)).toEqual(['po-1', 'po-2', 'po-3'])
  })

  it.each([[['po-1']], [['po-1', 'po-2']], [['po-1', 'po-2', 'po-3', 'po-4', 'po-5']]])(
    'ends for a list whose pages return as %j',
    async (ring) => {
      const account = newAccount()
      const source: PayoutSource = {
        async payouts(after) {
          const at = ring.indexOf(after ?? '')
          const id = ring[at + 1] ?? ring[0] ?? ''
          return { ok: true, value: { payouts: [payout(id)], next: id } }
        },
        lines: async () => ({ ok: true, value: LINES }),
      }
      expect(await fetchAll(account, source)).toMatchObject({ is: 'broken off' })
      expect(await booked(account)).toEqual(ring)
    },
  )
})

describe('a payout that an operator requested at Stripe', () => {
  const listed = (id: string, automatic: boolean) => ({
    id,
    amount: 970,
    currency: 'eur',
    arrival_date: 1_793_000_000,
    automatic,
  })
  const transaction = {
    amount: 1000,
    fee: 30,
    currency: 'eur',
    created: 1_792_900_000,
    type: 'charge',
    reporting_category: 'charge',
    source: null,
  }
  const source = stripePayouts(async (_, path) => {
    const { pathname, searchParams } = new URL(path, 'https://x')
    if (pathname === '/v1/payouts')
      return {
        is: 'answered',
        status: 200,
        body: { data: [listed('po_3', true), listed('po_2', false), listed('po_1', true)], has_more: false },
      }
    const id = searchParams.get('payout')
    return id === 'po_2'
      ? { is: 'answered', status: 400, body: { error: { message: 'only automatic payouts' } } }
      : {
          is: 'answered',
          status: 200,
          body: { data: [{ ...transaction, id: `txn_${id}` }], has_more: false },
        }
  })

  it('is booked without lines, and the others are booked too', async () => {
    const account = newAccount()
    expect(await fetchAll(account, source)).toEqual({ is: 'ended', leftOut: [] })
    expect(await booked(account)).toEqual(['po_1', 'po_2', 'po_3'])
    const lines = 'select payout from payout_lines where account = ? order by payout'
    const { results } = await env.DB.prepare(lines).bind(account).all()
    expect(results).toEqual([{ payout: 'po_1' }, { payout: 'po_3' }])
  })
})
