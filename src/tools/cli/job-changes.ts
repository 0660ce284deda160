import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { parseJobId, uuidV8 } from '../../contract/ids.ts'
import type { JobDetail } from '../../contract/jobs.ts'
import { formatAmount, plainAmount } from '../../contract/money.ts'
import { OperatorNewRefund, type Refund } from '../../contract/refund.ts'
import { readTypedAmount } from '../../contract/typed-amount.ts'
import { flag, option, word } from '../program.ts'
import { UsageError, quoted } from '../usage-error.ts'
import { count, hubCommand, operationCommand } from './hub-command.ts'
import { detailOfJob, headOf, showJob } from './job.ts'
import { JOB, jobIdOf, searchedAccount } from './named.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'

export const cancel = operationCommand('cancelJob', {
  args: { id: JOB },
  asks: async ({ id }) => [
    headOf(await detailOfJob(id)),
    'Stop this payment? The customer can then not make it any more, and the shop is told.',
  ],
  show: showJob,
})

export const clearMoney = operationCommand('clearMoney', {
  example: 'A-1001 --note "Collected at the counter"',
  args: { id: JOB, note: { ...option('TEXT', 'why: the audit log keeps it'), required: true } },
  body: ({ note }) => ({ note }),
  show: showJob,
})

export const pull = operationCommand('pullJob', {
  args: { id: JOB },
  show: showJob,
})

export const announce = hubCommand({
  does: 'announce a payment now that waits for its PSP, or with --account all that wait there',
  example: 'A-1001',
  args: {
    id: { ...JOB, required: false },
    account: option('ID', 'all that wait at this account, each by the route that its shop has now'),
  },
  run: async ({ id, account }) => {
    if (id !== undefined && account === undefined) {
      await ask('announceJob', { params: { id: await jobIdOf(id) } })
      return { announced: 1, waiting: 0 }
    }
    if (id === undefined && account !== undefined)
      return addUp(askPages('announceJobs', { params: { id: await searchedAccount(account) } }))
    throw new UsageError('Say which: job announce ID, or job announce --account ID')
  },
  succeeds: ({ waiting }) => waiting === 0,
  show: ({ announced, waiting }) =>
    `${count(announced, 'payment is', 'payments are')} announced.` +
    (waiting === 0 ? '' : ` ${waiting} still wait: the hub goes on trying.`),
})

/** How recent (ms) a refund of the same amount is that may be the same one, typed twice. */
const MAYBE_TWICE = 10 * 60_000

export const refund = hubCommand({
  does: 'give money back: an amount, or all that is left',
  example: 'A-1001 --amount 5.00',
  args: {
    id: JOB,
    amount: option('AMOUNT', 'how much'),
    all: flag('all that is left, in place of --amount'),
    description: option('TEXT', 'what the customer reads'),
    key: {
      ...option('KEY', 'a name of your own for this refund: the same key again is the same refund'),
      read: filled,
    },
    'refund-id': { ...option('UUID', 'the same, as the id of the refund'), read: uuid },
    ...YES,
  },
  run: async ({ id, amount, all = false, description, key, 'refund-id': refundId, yes }) => {
    if ((amount !== undefined) === all) {
      throw new UsageError('Say how much goes back: --amount 5.00, or --all for all that is left.')
    }
    if (key !== undefined && refundId !== undefined) {
      throw new UsageError('Name the refund by --key or --refund-id, not by both.')
    }
    const job = await detailOfJob(id)
    const { paymentJob, currency } = job
    const keyed = refundId ?? (key === undefined ? undefined : idOf(paymentJob, key))
    const part = amount === undefined ? undefined : amountIn(job, amount)
    const before = keyed === undefined && part !== undefined ? lately(job, part) : undefined
    if (before && !process.stdin.isTTY) throw new Error(`${agoOf(before)} ${ONCE_MORE}`)
    const wanted =
      part === undefined
        ? `all that is left, ${currency} ${plainAmount(job.refundable, currency)} at most,`
        : `${currency} ${plainAmount(part, currency)}`
    const question = `Give ${wanted} back to the customer${before ? ' once more' : ''}?`
    await confirm(
      [headOf(job), ...(before ? [agoOf(before)] : []), question].join('\n'),
      yes && before === undefined,
    )
    return ask('refundJob', {
      params: { id: paymentJob },
      body: {
        id: keyed ?? crypto.randomUUID(),
        ...(part === undefined ? {} : { amount: part }),
        ...(description === undefined ? {} : { description }),
      },
    })
  },
  succeeds: ({ status }) => status !== 'FAILURE',
  show: ({ refund: refundId, amount, currency, status, error }) =>
    status === 'FAILURE'
      ? `The refund failed: ${error}`
      : `Refund ${refundId} of ${currency} ${amount} ${status === 'SUCCESS' ? 'is done' : 'is on its way'}.`,
})

const ONCE_MORE = 'To give it back once more, name this refund with --key: any text that no other refund has.'

/** Refuses an empty key: to a script whose variable is not set, all refunds would be one. */
function filled(text: string, name: string): string {
  if (text !== '') return text
  throw new UsageError(`${name} must not be empty`)
}

function uuid(text: string, name: string): string {
  if (v.is(OperatorNewRefund.entries.id, text)) return text
  throw new UsageError(`${name} must be a UUID, not ${quoted(text)}`)
}

/** Returns the id of the refund that an operator names by a key. */
function idOf(job: string, key: string): string {
  return uuidV8(
    createHash('sha256')
      .update(JSON.stringify([job, key]))
      .digest(),
  )
}

/** Writes an amount as the hub does. Throws a UsageError for one that the currency cannot have. */
function amountIn({ currency }: JobDetail, written: string): string {
  const amount = readTypedAmount(written, currency)
  if (!amount.ok) throw new UsageError(`--amount ${amount.error}`)
  return formatAmount(amount.value, currency)
}

/** Returns a recent refund of the same amount. */
function lately({ refunds }: JobDetail, amount: string): Refund | undefined {
  const since = Date.now() - MAYBE_TWICE
  return refunds.findLast(
    (one) => one.amount === amount && one.status !== 'FAILURE' && Date.parse(one.created) > since,
  )
}

function agoOf({ currency, amount, created }: Refund): string {
  const minutes = Math.round((Date.now() - Date.parse(created)) / 60_000)
  const ago = minutes === 0 ? 'less than a minute' : `${minutes} min`
  return `A refund of ${currency} ${plainAmount(amount, currency)} of this payment was asked for ${ago} ago.`
}

const OF_PERSON = {
  order: word('the order number that the person names, or the id of one payment job'),
  pos: option('SHOP', 'of this point of sale: its id, or its name if no other has that name'),
}

type Named = { order: string; pos: string | undefined }

/** Returns all payment jobs of an order number. Throws a UsageError for none. */
async function jobsOf({ order, pos }: Named): Promise<JobDetail[]> {
  if (parseJobId(order) !== null) return [await detailOfJob(order)]
  const { jobs } = await addUp(askPages('searchJobs', { query: { order_number: order, pos } }))
  if (jobs.length === 0)
    throw new UsageError(`There is no payment job of order ${order}. The index may be some seconds behind.`)
  const all: JobDetail[] = []
  for (const { id } of jobs) all.push(await detailOfJob(id))
  return all
}

export const erase = hubCommand({
  does: "erase the customer's personal data of a payment, or of all payments of an order number",
  example: 'A-1001 --pos "Shop 1"',
  args: { ...OF_PERSON, ...YES },
  run: async ({ yes, ...named }) => {
    const all = await jobsOf(named)
    const question = 'Erase what the hub knows of the customer? Nobody can bring it back.'
    await confirm([...all.map(headOf), question].join('\n'), yes)
    const erased = []
    for (const { paymentJob } of all) erased.push(await ask('eraseJob', { params: { id: paymentJob } }))
    return { jobs: erased }
  },
  show: ({ jobs }) =>
    jobs.map(
      ({ paymentJob, erased }) => `${paymentJob}: ${erased ? 'erased' : 'nothing was left to erase'}.`,
    ),
})

export const exportPerson = hubCommand({
  does: 'gather all that the hub knows about an order number, for the person who asks for it',
  example: 'A-1001 --json > A-1001.json',
  args: OF_PERSON,
  run: async (named) => {
    const known = []
    for (const job of await jobsOf(named)) {
      const of = { params: { id: job.paymentJob } }
      const [personal, journal] = await Promise.all([ask('showPersonal', of), ask('showJournal', of)])
      known.push({ job, ipAddress: personal.ipAddress, journal: journal.entries })
    }
    return { order: named.order, jobs: known }
  },
  show: ({ jobs }, view) => [
    view.list('', jobs, [
      ['created', ({ job }) => job.created],
      ['payment job', ({ job }) => job.paymentJob],
      ['shop', ({ job }) => job.posName],
      ['status', ({ job }) => job.status],
      ['paid', ({ job }) => `${job.currency} ${job.amountPaid}`],
      ['account', ({ job }) => job.account],
      ['reference', ({ job }) => job.reference],
      ['language', ({ job }) => job.language],
      ['IP address', ({ ipAddress }) => (ipAddress === '' ? 'none sent' : (ipAddress ?? 'erased'))],
    ]),
    '',
    `${count(jobs.length, 'payment', 'payments')}. With --json each has its journal besides.`,
  ],
})
