import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { ok, refuse } from '../../src/contract/result.ts'
import {
  announceJob,
  askJob,
  callJob,
  cancelJob,
  createJob,
  requestInstruction,
  lookUp,
  readEntries,
  readJob,
} from '../../src/job/call-job.ts'
import { fold, readEntry } from '../../src/job/core/journal.ts'
import { SHAPE, type State } from '../../src/job/core/state.ts'
import { unexpected } from '../../src/platform/http/routes.ts'
import { isUnreadable } from '../../src/platform/stored.ts'
import { birthOf } from '../support/jobs/played-job.ts'
import JOURNALS from '../stored/journals-1.0.json'

/**
 * During a deploy, Workers of this release call objects of 1.0. Their state has another shape, they lack
 * methods, and refunds are their only instructions.
 */

const JOURNAL = JOURNALS.paid.entries.map((stored, place) => ({ number: place + 1, ...stored }))
const OWN = foldedOwn()
const { id } = OWN

function foldedOwn(): State {
  const read = JOURNAL.map((entry) => readEntry(entry.number, entry))
  const job = fold(read.flatMap((entry) => (entry.ok ? [entry.value] : [])))
  if (!job) throw new Error('there is no such journal')
  return job
}

/** The members that 1.0’s state of a job and of a payment lacks. */
const LATER = {
  job: ['shape', 'instructions', 'alsoPaid', 'cleared'],
  payment: [
    'way',
    'authorized',
    'released',
    'lost',
    'authorizedAt',
    'captureBefore',
    'foreignCaptured',
    'transfers',
    'inParts',
  ],
}

/** Returns a state as an object of 1.0 gives it: without later members. */
function stateOfFirst() {
  const without = (one: object, names: string[]) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !names.includes(name)))
  const payments = OWN.payments.map((one) => without(one, LATER.payment))
  return { ...without(OWN, LATER.job), payments, refunds: [], index: { changed: 3, updated: 5, written: 2 } }
}

const birth = birthOf({ id })
const wanted = {
  kind: 'refund',
  id: 'r9',
  fingerprint: 'f',
  call: 'c',
  amount: 100,
  description: '',
} as const

let journal: object[] = JOURNAL
beforeEach(() => void (journal = JOURNAL))

/** The methods of an object of 1.0. The platform refuses all others. */
const FIRST: Record<string, (...given: never[]) => unknown> = {
  entries: () => journal,
  read: stateOfFirst,
  lookUp: () => ({ is: 'job', job: stateOfFirst() }),
  create: stateOfFirst,
  announce: stateOfFirst,
  ask: () => ({ job: stateOfFirst(), isAnswered: true }),
  cancel: () => ({ job: stateOfFirst(), isAnswered: true }),
  refund: () => ok(stateOfFirst()),
  toReport: stateOfFirst,
  tell: stateOfFirst,
}

function hub(object = FIRST): Env {
  const stub = new Proxy(object, {
    get:
      (methods, name: string) =>
      async (...given: never[]) => {
        const method = methods[name]
        if (!method) throw new TypeError(`The RPC receiver does not implement the method "${name}".`)
        return method(...given)
      },
  })
  return { ...env, PAYMENT_JOB: { getByName: () => stub } as unknown as Env['PAYMENT_JOB'] }
}

describe('an object of 1.0', () => {
  it.each<[string, () => Promise<unknown>, unknown]>([
    ['read', () => readJob(hub(), id), OWN],
    ['looked up', () => lookUp(hub(), id), { is: 'job', job: OWN }],
    ['created', () => createJob(hub(), birth), OWN],
    ['announced', () => announceJob(hub(), id, 'customer'), OWN],
    ['asked about', () => askJob(hub(), id, 'wait'), { job: OWN, isAnswered: true }],
    ['cancelled', () => cancelJob(hub(), id, 'shop'), refuse({ is: 'too-late', job: OWN })],
    ['refunded', () => requestInstruction(hub(), id, wanted), ok({ job: OWN, done: null })],
    ['reported', () => callJob(hub(), id, async (stub) => stub.toReport(1)), OWN],
    ['sent a command', () => callJob(hub(), id, async (stub) => stub.tell({ do: 'record-return' })), OWN],
  ])('gives a job that is %s in the shape of this release', async (_, call, job) => {
    const found = await call()
    expect(found).toMatchObject(JSON.parse(JSON.stringify(job)))
  })

  it('says why it refunds nothing, in codes of this release', async () => {
    const refusing = hub({ ...FIRST, refund: () => refuse({ is: 'unpaid' }) })
    expect(await requestInstruction(refusing, id, wanted)).toMatchObject({
      error: { kind: 'refund', is: 'unpaid' },
    })
  })

  it.each<[string, () => Promise<unknown>]>([
    ['captures', () => requestInstruction(hub(), id, { ...wanted, kind: 'capture' })],
    ['releases', () => requestInstruction(hub(), id, { ...wanted, kind: 'release' })],
    [
      'takes an order to capture later, which it would capture at once',
      () => createJob(hub(), birthOf({ id, order: { ...birth.created.order, capture: 'manual' } })),
    ],
  ])('neither %s, nor counts that as a fault of the hub', async (_, call) => {
    const failed = await call().catch((error: unknown) => error)
    expect(unexpected(failed)).toMatchObject({ code: 'deploy-under-way', retryAfter: 60 })
  })
})

it('a job of a later release is unreadable, and not misread', async () => {
  journal = [...JOURNAL, { number: JOURNAL.length + 1, version: 9, at: 9e15, facts: [{ is: 'beamed-up' }] }]
  for (const call of [() => readJob(hub(), id), () => readEntries(hub(), id)])
    expect(isUnreadable(await call().catch((error: unknown) => error))).toBe(true)
})

it('an object of this release is asked once: its state has the shape of this release', async () => {
  let calls = 0
  const counted = hub({ read: () => (calls++, OWN) })
  expect(await readJob(counted, id)).toEqual(OWN)
  expect(calls).toBe(1)
})

it('a state with other members has another number for its shape', () => {
  const namesOf = (one: object = {}) => Object.keys(one).toSorted().join(' ')
  expect({ shape: SHAPE, job: namesOf(OWN), payment: namesOf(OWN.payments[0]) }).toEqual({
    shape: 6,
    job:
      'alsoPaid attempts cancel cleared clock created entry error fingerprint id index instructions isLive late link movements order ' +
      'origin payments personalHash pos report revision rounds shape standing steps transactionId updated',
    payment:
      'account asks authorized authorizedAt captureBefore card chargedBack checkoutUrl expiresAt foreign foreignCaptured inParts lost moves ' +
      'other over paid progress reference refunded released tip transfers way',
  })
})
