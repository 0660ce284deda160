import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { closingOf, storeClosing, unexplainedIn } from '../../src/books/months.ts'
import { storePart } from '../../src/books/store-part.ts'
import type { BooksMonth, DoubleEntry } from '../../src/contract/books.ts'
import { unfitColumn } from '../../src/backup/row-forms.ts'
import { restoreRegistryRows } from '../../src/backup/registry-rows.ts'
import { callWorker } from '../security/call-worker.ts'
import { changed } from '../support/hub/changed-binding.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { addAccount, pspWorld } from '../support/psp-world.ts'

/** Each test has months of its own, because a month has the payouts of all accounts. */
let year = 1999
function months(): { month: string; next: string; after: string } {
  year += 1
  return { month: `${year}-01`, next: `${year}-02`, after: `${year}-03` }
}

const LINE = { kind: 'correction', at: 0, job: null, reference: null, orderNumber: null, fee: 0, text: '' }
/** A payout of correction lines. Lines with a sum other than 10.00 do not explain it. */
function payoutOf(id: string, day: string, amounts: number[]) {
  return {
    id,
    currency: 'EUR',
    amount: 1000,
    paidAt: Date.parse(day),
    from: 1,
    total: amounts.length,
    lines: amounts.map((gross, at) => ({ ...LINE, gross, reference: `line ${at}` })),
  }
}
async function book(account: string, payout: object): Promise<void> {
  expect((await operate('POST', `/books/accounts/${account}/payouts`, payout)).status).toBe(200)
}
function shown(month: string, mode = 'live'): Promise<BooksMonth> {
  return answerTo('GET', `/books/months/${month}?mode=${mode}`)
}
async function ids(month: string, mode = 'live') {
  return (await shown(month, mode)).payouts.map(({ id, corrects }) => (corrects ? [id, corrects] : [id]))
}
async function change(does: 'close' | 'reopen', month: string, body: object = {}) {
  const response = await operate('POST', `/books/months/${month}/${does}`, { mode: 'live', ...body })
  const { code, detail } = await response.json<{ code?: string; detail?: string }>()
  return { status: response.status, code, detail }
}

describe('a month', () => {
  it.each([
    ['UTC', '2026-09', '2026-10-01T00:00:00.000Z'],
    ['Pacific/Honolulu', '2026-11', '2026-12-01T10:00:00.000Z'],
    ['Pacific/Auckland', '2026-12', '2027-01-01T00:00:00.000Z'],
  ])('of a hub in %s can be closed once %s is over there and in UTC', async (timeZone, month, over) => {
    const config = changed(env, {})
    const inZone = new Proxy(config, {
      get: (target, name) => (name === 'TIME_ZONE' ? timeZone : (Reflect.get(target, name) as unknown)),
    })
    const close = async () =>
      (
        await callWorker(
          new Request(`https://hub.test/operator/v1/books/months/${month}/close`, {
            method: 'POST',
            headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'content-type': 'application/json' },
            body: JSON.stringify({ mode: 'test', note: 'Others of this hub are not explained' }),
          }),
          inZone,
        )
      ).json<{ code?: string; detail?: string; closed?: object }>()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(over) - 1 })
    const refused = await close()
    expect(refused).toMatchObject({ code: 'month-not-over' })
    for (const told of [over, timeZone]) expect(refused.detail).toContain(told)
    expect(await shown(month, 'test')).toMatchObject({ closed: null })
    vi.setSystemTime(Date.parse(over))
    expect(await close()).toMatchObject({ closed: {} })
  })

  it('in the far future stays open, and an impossible one is refused', async () => {
    expect(await change('close', '2098-12', { note: 'A slip' })).toMatchObject({ code: 'month-not-over' })
    expect(await shown('2098-12')).toMatchObject({ closed: null, over: '2099-01-01T00:00:00.000Z' })
    expect((await operate('GET', '/books/months/9999-12')).status).toBe(422)
    expect((await operate('GET', '/figures?month=9999-12')).status).toBe(422)
  })
})

describe('a payout that becomes whole between the look at a month and its closing', () => {
  it('is not closed unless it is explained', async () => {
    const account = await addAccount(pspWorld('adyen'))
    const { month } = months()
    const of = { month, mode: 'live' as const }
    const close = async (known: Awaited<ReturnType<typeof unexplainedIn>>) => {
      await storeClosing(env.DB, { ...of, closedAt: 1, closedBy: 'me', note: '' }, known)
      return (await closingOf(env.DB, of)).closed !== null
    }
    await book(account, payoutOf('po-race', `${month}-05`, [999]))
    expect(await close([])).toBe(false)
    const seen = await unexplainedIn(env.DB, of)
    expect(seen.map(({ id }) => id)).toEqual(['po-race'])
    await book(account, payoutOf('po-race', `${month}-05`, [998]))
    expect(await close(seen)).toBe(false)
    await book(account, payoutOf('po-race', `${month}-05`, [999]))
    await book(account, payoutOf('po-fine', `${month}-05`, [1000]))
    expect(await close(seen)).toBe(true)
  })

  it('leaves a closed month unchanged, even if it comes again while the month is being closed', async () => {
    const account = await addAccount(pspWorld('adyen'))
    const { month, next } = months()
    await book(account, payoutOf('po-again', `${month}-05`, [1000]))
    let batches = 0
    const database = changed(env.DB, {
      batch: async (statements: D1PreparedStatement[]) => {
        if (++batches === 2) await change('close', month)
        return env.DB.batch(statements)
      },
    } as Partial<D1Database>)
    const { lines, ...part } = payoutOf('po-again', `${month}-05`, [999])
    const matched = lines.map((line) => ({ ...line, kind: 'correction' as const, finding: null }))
    const store = (of: D1Database) => storePart(of, { ...part, account, lines: matched })
    expect(await store(database)).toBe('partial')
    expect(await shown(month)).toMatchObject({ closed: {}, payouts: [{ explained: '10.00' }] })
    expect(await store(env.DB)).toBe('whole')
    expect([await ids(month), await ids(next)]).toEqual([[['po-again']], [['po-again~2', month]]])
  })

  it('is reported as a conflict', async () => {
    const account = await addAccount(pspWorld('adyen'))
    const { month } = months()
    const late = payoutOf('po-late', `${month}-05`, [999])
    const held = (statement: D1PreparedStatement): D1PreparedStatement =>
      changed(statement, {
        bind: (...values: unknown[]) => held(statement.bind(...values)),
        run: async () => {
          await book(account, late)
          return statement.run()
        },
      })
    const database = changed(env.DB, {
      prepare: (query: string) => {
        const statement = env.DB.prepare(query)
        return query.startsWith('insert into "closed_months"') ? held(statement) : statement
      },
    })
    const request = new Request(`https://hub.test/operator/v1/books/months/${month}/close`, {
      method: 'POST',
      headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ mode: 'live' }),
    })
    const response = await callWorker(request, changed(env, { DB: database }))
    expect(await response.json()).toMatchObject({ code: 'month-conflict', status: 409 })
    expect(await shown(month)).toMatchObject({ closed: null, payouts: [{ id: 'po-late' }] })
  })
})

describe('a closing', () => {
  it('is undone from the latest closed month on, and later payouts are in the month of their own', async () => {
    const account = await addAccount(pspWorld('adyen'))
    const { month, next, after } = months()
    await book(account, payoutOf('po', `${month}-05`, [600, 400]))
    expect(await change('close', month)).toMatchObject({ status: 200 })
    await book(account, payoutOf('po-first', `${month}-04`, [1000]))
    expect(await change('close', next)).toMatchObject({ status: 200 })
    expect(await shown(month)).toMatchObject({ laterClosed: next })
    await book(account, payoutOf('po', `${month}-05`, [600, 500]))
    await book(account, payoutOf('po-late', `${month}-06`, [1000]))
    await book(account, payoutOf('po-next', `${next}-06`, [1000]))
    const late = ['po-late', month]
    const correction = ['po~2', month]
    expect(await ids(after)).toEqual([correction, late, ['po-next', next]])

    const refused = await change('reopen', month)
    expect(refused).toMatchObject({ status: 409, code: 'month-conflict' })
    expect(refused.detail).toContain(next)
    expect([(await ids(after)).length, await ids(next)]).toEqual([3, [['po-first', month]]])

    expect(await change('reopen', next)).toMatchObject({ status: 200 })
    expect(await ids(next)).toEqual([['po-first', month], correction, late, ['po-next']])
    expect(await change('reopen', month)).toMatchObject({ status: 200 })
    expect(await ids(month)).toEqual([['po-first'], ['po'], ['po~2'], ['po-late']])
    expect(await ids(next)).toEqual([['po-next']])
    expect(await ids(after)).toEqual([])
    // A second time changes nothing.
    expect(await change('reopen', month)).toMatchObject({ status: 200 })
    const { entries } = await answerTo<{ entries: object[] }>('GET', '/audit?action=books.reopen')
    expect(JSON.stringify(entries)).toContain('closedBy')
  })

  it('that was undone counts nothing twice, whatever comes again', async () => {
    const account = await addAccount(pspWorld('adyen'))
    const { month, next } = months()
    const total = async () => {
      const payouts = [...(await shown(month)).payouts, ...(await shown(next)).payouts]
      return payouts.reduce((sum, { explained }) => sum + Math.round(Number(explained) * 100), 0)
    }
    const again = (amounts: number[]) => book(account, payoutOf('po', `${month}-05`, amounts))
    await again([600, 400])
    await change('close', month)
    await again([600, 500])
    expect([await ids(next), await total()]).toEqual([[['po~2', month]], 1100])
    await change('reopen', month)
    expect(await total()).toBe(1100)
    await again([600, 450])
    expect([await ids(month), await total()]).toEqual([[['po']], 1050])
    await change('close', month, { note: 'It differs' })
    await again([600, 500])
    expect([await ids(next), await total()]).toEqual([[['po~2', month]], 1100])
    await again([600, 400])
    expect(await total()).toBe(1000)
  })
})

describe('live and test books', () => {
  it('are closed, shown and exported separately', async () => {
    const live = await addAccount(pspWorld('adyen'))
    const { month, next } = months()
    await book(live, payoutOf('po-live', `${month}-05`, [1000]))
    await book('sandbox', payoutOf(`po-test-${month}`, `${month}-05`, [999]))
    // Without a mode they are those of test mode until a point of sale is live.
    expect(await answerTo('GET', `/books/months/${month}`)).toMatchObject({ mode: 'test' })
    expect([await ids(month), await ids(month, 'test')]).toEqual([[['po-live']], [[`po-test-${month}`]]])
    expect(await change('close', month)).toMatchObject({ status: 200 })
    expect(await shown(month, 'test')).toMatchObject({ closed: null })
    await book('sandbox', payoutOf(`po-test-2-${month}`, `${month}-06`, [1000]))
    await book(live, payoutOf('po-live-2', `${month}-06`, [1000]))
    expect(await ids(month, 'test')).toHaveLength(2)
    expect([await ids(next), await ids(next, 'test')]).toEqual([[['po-live-2', month]], []])
    // A test payout whose month is closed only in live mode is replaced, not corrected.
    await book('sandbox', payoutOf(`po-test-2-${month}`, `${month}-06`, [999]))
    expect(await ids(month, 'test')).toHaveLength(2)
    await change('close', month, { mode: 'test', note: 'It differs' })
    await book('sandbox', payoutOf(`po-test-3-${month}`, `${month}-07`, [1000]))
    await change('close', next, { mode: 'test' })
    await change('reopen', month)
    expect([await ids(next), await ids(next, 'test')]).toEqual([[], [[`po-test-3-${month}`, month]]])
    const entry = (mode: string) =>
      answerTo<DoubleEntry>('GET', `/books/months/${month}/double-entry?mode=${mode}`)
    expect(await entry('live')).toMatchObject({
      mode: 'live',
      journals: [{ account: live }, { account: live }],
    })
    const test = await entry('test')
    expect(test.journals.map(({ account }) => account)).toEqual(['sandbox', 'sandbox'])
    const open = (query: string) => answerTo<{ mode: string; jobs: object[] }>('GET', `/books/open?${query}`)
    expect(await open('mode=live&account=sandbox')).toEqual({ mode: 'live', jobs: [], more: false })
    expect(await open('account=sandbox')).toMatchObject({ mode: 'test' })
    expect(await open(`account=${live}`)).toMatchObject({ mode: 'live' })
  })

  it('keep a payout in its mode when its account is removed', async () => {
    const { month } = months()
    await env.DB.prepare(
      "insert into psp_accounts (id, psp, mode, sealed, created_at) values ('trial', 'adyen', 'test', '', 0)",
    ).run()
    await book('trial', payoutOf('po-trial', `${month}-05`, [1000]))
    await env.DB.prepare("delete from psp_accounts where id = 'trial'").run()
    expect([await ids(month), await ids(month, 'test')]).toEqual([[], [['po-trial']]])
  })

  it('restore payouts and closings of a backup that does not say their modes', async () => {
    const { month } = months()
    await env.DB.prepare(
      "insert into psp_accounts (id, psp, mode, sealed, created_at) values ('tried', 'adyen', 'test', '', 0)",
    ).run()
    const payout = { currency: 'EUR', amount: 0, paid_at: Date.parse(`${month}-05`), month, is_whole: 1 }
    const rows = ['sandbox', 'tried', 'removed'].map((account) => ({
      ...payout,
      account,
      id: `of-${account}-${month}`,
    }))
    const closing = { month, closed_at: Date.parse(`${month}-06`), closed_by: 'me', note: '' }
    const fits = [
      ...rows.map((row) => ({ table: 'payouts', row })),
      { table: 'closed_months', row: closing },
    ].map(unfitColumn)
    expect(fits).toEqual([null, null, null, null])
    expect(await restoreRegistryRows(env.DB, 'payouts', rows)).toEqual({ written: 3, right: 3 })
    expect(await restoreRegistryRows(env.DB, 'closed_months', [closing])).toEqual({ written: 1, right: 1 })
    expect(await ids(month)).toEqual([[`of-removed-${month}`]])
    expect(await ids(month, 'test')).toHaveLength(2)
    expect(await shown(month)).toMatchObject({ closed: { by: 'me' } })
    expect(await shown(month, 'test')).toMatchObject({ closed: null })
  })
})
