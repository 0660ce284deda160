import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { moneyBackOf } from '../../src/checkout/standing.ts'
import { represent, representCreated, representRefund } from '../../src/job/core/show.ts'
import type { State } from '../../src/job/core/state.ts'
import { fold, readEntry } from '../../src/job/core/journal.ts'
import { FIRST_RELEASE, withRelease } from '../../src/rehearsal/work-tree.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { type JobJson, ask, choose, next, openPos, operate } from '../e2e/clients.ts'
import { openKillableHub } from '../e2e/killable-hub.ts'
import { openShops } from '../e2e/shops.ts'
import { AMOUNT, DONE, reserved, reservedJob } from '../support/jobs/played-job.ts'
import { corpus } from './corpus.ts'
import { ofKind } from '../../src/job/core/payment.ts'

/**
 * This release with the code of 1.0.0 itself: a rollback to it, and Workers of 1.0 that call objects of this
 * release during a deploy.
 */

/** Reports and hubs are slow on a busy machine. */
const LONG = { timeout: 300_000 }
const SOON = { timeout: 30_000 }

it(
  '1.0 answers with a 503 for jobs that it cannot read, changes nothing of them, and goes on with the rest',
  LONG,
  () =>
    withRelease(FIRST_RELEASE, async (tree) => {
      const shops = await openShops()
      const hub = await openKillableHub()
      try {
        const pos = await openPos(hub)
        const jobs = `${hub.url}/v2/paymentjobs`
        const paid = async (changes: object = {}) => {
          const { paymentJob, payUrl } = await pos.create(shops.url, changes)
          await next(await choose(payUrl, 'paid'))
          return paymentJob
        }
        const capture = (id: string, amount?: string) =>
          ask<{ status: string }>(`${jobs}/${id}/captures`, pos.token, amount ? { amount } : {})
        const journalOf = async (id: string) =>
          (await operate<{ entries: { at: string; hash: string }[] }>(hub, `/jobs/${id}/journal`)).entries

        const captured = await paid({ payment_method: 'creditcard', capture: 'manual' })
        await capture(captured, '5.00')
        const refunded = await paid()
        await pos.refund(refunded, '2.00')
        const simple = await paid()
        await expect.poll(() => shops.of(refunded).at(-1), SOON).toMatchObject({ amountRefunded: '2.00' })
        await expect.poll(() => shops.of(simple).at(-1), SOON).toMatchObject({ status: 'SUCCESS' })
        const counter = {
          payment_method: 'terminal',
          terminal: 'default',
          order_number: 'A-7 sandbox-pin',
        }
        const atTerminal = (await pos.create(shops.url, counter)).paymentJob
        await expect.poll(() => shops.of(atTerminal).at(-1), SOON).toMatchObject({ status: 'SUCCESS' })
        const unreadable = [captured, refunded, atTerminal]
        const before = await Promise.all(unreadable.map(journalOf))
        const { steps } = (await pos.read(simple)).payments

        // Its build expects the packages in its own folder.
        symlinkSync(join(PROJECT, 'node_modules'), join(tree, 'node_modules'))
        await hub.stop()
        const stopped = new Date().toISOString()
        await hub.restart([join(tree, 'src', 'tools', 'local', 'dev.ts')])
        for (const id of unreadable) {
          const read = await fetch(`${jobs}/${id}`, { headers: { authorization: `Bearer ${pos.token}` } })
          expect([read.status, await read.json()]).toMatchObject([503, { code: 'stored-unreadable' }])
          expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0)
          await expect(pos.refund(id, '1.00')).rejects.toThrow('503')
        }
        await expect.poll(hub.output, SOON).toContain('stored.unreadable')
        const known = await pos.read(simple)
        expect(known).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
        expect(known.payments.steps.slice(0, steps.length)).toEqual(steps)
        expect(await pos.refund(simple, '1.00')).toMatchObject({
          status: expect.stringMatching(/PENDING|SUCCESS/),
        })

        await hub.stop()
        const back = new Date().toISOString()
        await hub.restart()
        for (const [place, entries] of (await Promise.all(unreadable.map(journalOf))).entries()) {
          expect(before[place]?.length).toBeGreaterThan(3)
          expect(entries.slice(0, before[place]?.length)).toEqual(before[place])
          expect(entries.filter(({ at }) => at > stopped && at < back)).toEqual([])
        }
        await capture(captured)
        const readOf = (id: string) => pos.read(id)
        await expect
          .poll(() => readOf(captured), SOON)
          .toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
        await expect
          .poll(() => readOf(simple), SOON)
          .toMatchObject({ status: 'SUCCESS', amountRefunded: '1.00' })
      } finally {
        await hub.close()
        shops.close()
      }
    }),
)

/** The part of 1.0's code with which its Workers show jobs. */
type First = Record<'represent' | 'representCreated' | 'moneyBackOf', (job: unknown) => object> & {
  representRefund: (job: unknown, refund: unknown) => object
}

/** Jobs with manual capture: captured in part, with the rest released, and refunded. */
function capturedJobs(): State[] {
  const [part, rest, refunded] = [reservedJob(), reservedJob(), reservedJob()]
  for (const job of [part, rest, refunded]) {
    job.wants('capture', 'c1', { amount: 500 })
    job.answered('c1', DONE)
    job.hears('other', { answer: reserved(500) })
  }
  rest.wants('release', 'l1')
  rest.answered('l1', DONE)
  rest.hears('other', { answer: reserved(500, { released: AMOUNT - 500 }) })
  refunded.refund('r1', 200)
  refunded.answered('r1', DONE)
  refunded.hears('other', { answer: reserved(500, { refunded: 200 }) })
  return [part.state, rest.state, refunded.state]
}

it('Workers of 1.0 show the right amounts of jobs that objects of this release give them', LONG, () =>
  withRelease(FIRST_RELEASE, async (tree) => {
    const codeOf = (...path: string[]) => import(pathToFileURL(join(tree, 'src', ...path)).href)
    const first: First = {
      ...(await codeOf('job', 'core', 'show.ts')),
      ...(await codeOf('checkout', 'standing.ts')),
    }
    const folded = corpus().flatMap(({ entries }) => {
      const read = entries.map(({ value }, place) => readEntry(place + 1, value))
      return fold(read.flatMap((entry) => (entry.ok ? [entry.value] : []))) ?? []
    })
    expect(folded.length).toBeGreaterThan(1000)
    for (const job of folded) {
      const given: unknown = JSON.parse(JSON.stringify(job))
      expect(first.represent(given)).toEqual(represent(job))
      expect(first.representCreated(given)).toEqual(representCreated(job))
      expect(first.moneyBackOf(given)).toEqual(moneyBackOf(job))
      expect(ofKind(job, 'refund').map((refund) => first.representRefund(given, refund))).toEqual(
        ofKind(job, 'refund').map((refund) => representRefund(job, refund)),
      )
    }
    // 1.0 does not know reserved money; captured and refunded amounts are right.
    const known = ({ payments, ...job }: JobJson) => [job.status, job.amountPaid, payments.steps.length]
    for (const job of capturedJobs())
      expect(known(first.represent(structuredClone(job)) as JobJson)).toEqual(known(represent(job)))
  }),
)
