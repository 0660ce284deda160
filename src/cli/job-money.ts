import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { uuidV8 } from '../contract/ids.ts'
import type { JobDetail } from '../contract/job-detail.ts'
import { formatAmount, plainAmount } from '../contract/money.ts'
import { OperatorNewRefund } from '../contract/instruction.ts'
import { readTypedAmount } from '../contract/typed-amount.ts'
import { type Values, flag, option } from '../programs/program.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { detailOfJob, headOf, showJob } from './job.ts'
import { JOB } from './named.ts'
import { ask } from './operator-api.ts'
import { YES, confirm } from '../programs/prompt.ts'
import { textOf } from '../programs/view.ts'

/** The changes that move an amount of a payment, with the words for each. */
const KINDS = {
  refund: {
    description: 'what the customer reads',
    missing: 'Say how much goes back',
    earlier: ({ refunds }: JobDetail) => refunds,
    most: ({ refundable }: JobDetail) => refundable,
    question: (amount: string) => `Give ${amount} back to the customer`,
    repeat: 'give it back once more',
  },
  capture: {
    description: 'what it is for',
    missing: 'Say how much to capture',
    earlier: ({ captures }: JobDetail) => captures,
    most: ({ capturable }: JobDetail) => capturable,
    question: (amount: string) => `Capture ${amount} of the reserved money`,
    repeat: 'capture it once more',
  },
}
type Kind = keyof typeof KINDS

/** The flags of both. A name again is the same refund or capture. */
function flagsOf(kind: Kind) {
  return {
    id: JOB,
    amount: option('AMOUNT', 'how much'),
    all: flag('all that is left, instead of --amount'),
    key: {
      ...option('KEY', `a name of your own for this ${kind}: the same key again is the same ${kind}`),
      read: filled,
    },
    description: option('TEXT', KINDS[kind].description),
    ...YES,
  }
}

function idFlag(kind: Kind) {
  return { ...option('UUID', `the same, as the id of the ${kind}`), read: uuid }
}

type Typed = Values<ReturnType<typeof flagsOf>>

/** Asks an operator at a terminal, and returns what to ask the hub for. `also`: what else it does. */
async function wanted(kind: Kind, typed: Typed, named: string | undefined, also = '') {
  const { id, amount, all = false, key, description, yes } = typed
  const { missing, earlier, most, question, repeat } = KINDS[kind]
  if ((amount !== undefined) === all)
    throw new UsageError(`${missing}: --amount 5.00, or --all for all that is left.`)
  if (key !== undefined && named !== undefined)
    throw new UsageError(`Name the ${kind} by --key or --${kind}-id, not by both.`)
  const job = await detailOfJob(id)
  const { paymentJob, currency } = job
  const keyed = named ?? (key === undefined ? undefined : idOf(kind, paymentJob, key))
  const part = amount === undefined ? undefined : amountIn(job, amount)
  const before = keyed === undefined && part !== undefined ? lately(earlier(job), part) : undefined
  if (before && !process.stdin.isTTY)
    throw new Error(
      `${agoOf(kind, before)} To ${repeat}, name this ${kind} with --key: any text that no other ${kind} has.`,
    )
  const what =
    part === undefined
      ? `all that is left, ${currency} ${plainAmount(most(job), currency)} at most,`
      : `${currency} ${plainAmount(part, currency)}`
  const asked = `${question(what)}${before ? ' once more' : ''}${also}?`
  await confirm(textOf([headOf(job), before && agoOf(kind, before), asked]), yes && before === undefined)
  return {
    params: { id: paymentJob },
    body: {
      id: keyed ?? crypto.randomUUID(),
      ...(part === undefined ? {} : { amount: part }),
      ...(description === undefined ? {} : { description }),
    },
  }
}

type Made = { currency: string; amount: string; status: string; error: string | null }

function isMade({ status }: Made): boolean {
  return status !== 'FAILURE'
}

function said(kind: Kind, id: string, { currency, amount, status, error }: Made): string {
  if (status === 'FAILURE') return `The ${kind} failed: ${error}`
  return `The ${kind} of ${currency} ${amount} ${status === 'SUCCESS' ? 'is done' : 'is on its way'}: ${id}`
}

export const refund = hubCommand({
  does: 'give money back: an amount, or all that is left',
  example: 'A-1001 --amount 5.00',
  args: { ...flagsOf('refund'), 'refund-id': idFlag('refund') },
  run: async ({ 'refund-id': named, ...typed }) => ask('refundJob', await wanted('refund', typed, named)),
  succeeds: isMade,
  show: (made) => said('refund', made.refund, made),
})

export const capture = hubCommand({
  does: 'capture reserved money: an amount, or all that is left',
  example: 'A-1001 --amount 20.00',
  args: {
    ...flagsOf('capture'),
    final: flag('release what this capture leaves'),
    'capture-id': idFlag('capture'),
  },
  run: async ({ final = false, 'capture-id': named, ...typed }) => {
    const { params, body } = await wanted('capture', typed, named, final ? ', and release the rest' : '')
    return ask('captureJob', { params, body: { ...body, ...(final ? { final } : {}) } })
  },
  succeeds: isMade,
  show: (made) => said('capture', made.capture, made),
})

export const release = operationCommand('releaseJob', {
  asks: async ({ id }) => {
    const job = await detailOfJob(id)
    const held = `${job.currency} ${plainAmount(job.capturable, job.currency)}`
    return [headOf(job), `Release ${held}? It can no longer be captured, and the hub reports it to the shop.`]
  },
  show: showJob,
})

/** Refuses an empty key: a script whose variable is not set would make all refunds the same one. */
function filled(text: string, name: string): string {
  if (text !== '') return text
  throw new UsageError(`${name} must not be empty`)
}

function uuid(text: string, name: string): string {
  if (v.is(OperatorNewRefund.entries.id, text)) return text
  throw new UsageError(`${name} must be a UUID, not ${quoted(text)}`)
}

/** Returns the id of a refund or a capture that an operator names by a key. A refund and a capture may have the same key. */
function idOf(kind: Kind, job: string, key: string): string {
  const named = kind === 'refund' ? [job, key] : [job, kind, key]
  return uuidV8(createHash('sha256').update(JSON.stringify(named)).digest())
}

/** Writes an amount as the hub does. Throws a UsageError for one that the currency cannot have. */
function amountIn({ currency }: JobDetail, written: string): string {
  const amount = readTypedAmount(written, currency)
  if (!amount.ok) throw new UsageError(`--amount ${amount.error}`)
  return formatAmount(amount.value, currency)
}

/** How recent (ms) an instruction of the same amount is that may be the same one, typed twice. */
const MAYBE_TWICE = 10 * 60_000

type Earlier = Made & { created: string }

/** Returns a recent one of the same amount. */
function lately(earlier: readonly Earlier[], amount: string): Earlier | undefined {
  const since = Date.now() - MAYBE_TWICE
  return earlier.findLast(
    (one) => one.amount === amount && one.status !== 'FAILURE' && Date.parse(one.created) > since,
  )
}

function agoOf(kind: Kind, { currency, amount, created }: Earlier): string {
  const minutes = Math.round((Date.now() - Date.parse(created)) / 60_000)
  const ago = minutes === 0 ? 'less than a minute' : `${minutes} min`
  return `A ${kind} of ${currency} ${plainAmount(amount, currency)} of this payment was asked for ${ago} ago.`
}
