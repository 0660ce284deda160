import { createHash } from 'node:crypto'
import { uuidV8 } from '../../contract/ids.ts'
import type { JobDetail } from '../../contract/jobs.ts'
import { formatAmount, parseAmount } from '../../contract/money.ts'
import type { Refund } from '../../contract/refund.ts'
import { flag, option } from '../program.ts'
import { UsageError } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { detailOfJob, headOf } from './job.ts'
import { JOB } from './named.ts'
import { ask } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'

/** For so long (ms) a refund of the same amount may be the same wish, typed twice. */
const MAYBE_TWICE = 10 * 60_000

export const refund = hubCommand({
  does: 'give money back: an amount, or all that is left',
  example: 'A-1001 --amount 5.00',
  args: {
    id: JOB,
    amount: option('AMOUNT', 'how much'),
    all: flag('all that is left, in place of --amount'),
    description: option('TEXT', 'what the customer reads'),
    key: option('KEY', 'a name of your own for this refund: the same key again is the same refund'),
    'refund-id': option('UUID', 'the same, as the id of the refund'),
    ...YES,
  },
  run: async ({ id, amount, all = false, description, key, 'refund-id': refundId, yes }) => {
    if ((amount !== undefined) === all) {
      throw new UsageError('Say how much goes back: --amount 5.00, or --all for all that is left.')
    }
    const job = await detailOfJob(id)
    const { paymentJob, currency } = job
    const keyed = refundId ?? (key === undefined ? undefined : idOf(paymentJob, key))
    const before =
      keyed === undefined && amount !== undefined ? lately(job, amountIn(job, amount)) : undefined
    if (before && !process.stdin.isTTY) throw new Error(`${agoOf(before)} ${ONCE_MORE}`)
    const wanted =
      amount === undefined
        ? `all that is left, ${currency} ${job.refundable} at most,`
        : `${currency} ${amountIn(job, amount)}`
    const question = `Give ${wanted} back to the customer${before ? ' once more' : ''}?`
    await confirm(
      [headOf(job), ...(before ? [agoOf(before)] : []), question].join('\n'),
      yes && before === undefined,
    )
    return ask('refundJob', {
      params: { id: paymentJob },
      body: {
        id: keyed ?? crypto.randomUUID(),
        ...(amount === undefined ? {} : { amount }),
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

/** The id of the refund that an operator names by a key of their own. */
function idOf(job: string, key: string): string {
  return uuidV8(
    createHash('sha256')
      .update(JSON.stringify([job, key]))
      .digest(),
  )
}

/** An amount as the hub writes it. Throws a UsageError for one that the currency has not. */
function amountIn({ currency }: JobDetail, written: string): string {
  const amount = parseAmount(written, currency)
  if (!amount.ok) throw new UsageError(`--amount ${amount.error}`)
  return formatAmount(amount.value, currency)
}

/** A refund of the same amount a short while ago. */
function lately({ refunds }: JobDetail, amount: string): Refund | undefined {
  const since = Date.now() - MAYBE_TWICE
  return refunds.findLast(
    (one) => one.amount === amount && one.status !== 'FAILURE' && Date.parse(one.created) > since,
  )
}

function agoOf({ currency, amount, created }: Refund): string {
  const minutes = Math.round((Date.now() - Date.parse(created)) / 60_000)
  const ago = minutes === 0 ? 'less than a minute' : `${minutes} min`
  return `A refund of ${currency} ${amount} of this payment was asked for ${ago} ago.`
}
