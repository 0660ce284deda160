import { type Job, isFinal } from '../job.ts'
import { CAUSES, type Cause, type Move, at } from './causes.ts'
import { whyEnded } from './ended.ts'
import { whyMoney } from './money.ts'
import { whyPending } from './pending.ts'
import { told, whyUntold } from './report.ts'

/** What happened to a payment, whose move it is, and what to do. `also` is what is so besides. */
export type Why = { cause: Cause; happened: string; move: Move; todo: string; also: string[] }

/**
 * Why a payment stands as it does, by the clock of its job (`now`, ms). Of several causes the one that matters most is named: of a
 * PENDING payment what keeps it so; of one that has ended first that the shop does not know it, then that the money is not as
 * it should be.
 */
export function why(job: Job, now: number): Why {
  const untold = whyUntold(job, now)
  if (!isFinal(job.status)) {
    const { cause, happened, todo } = whyPending(job, now)
    const also = untold ? [untold.happened] : []
    return { cause, happened: happened + passedOver(job), move: CAUSES[cause], todo, also }
  }
  const end = whyEnded(job)
  const [main = end, ...others] = [...(untold ? [untold] : []), ...whyMoney(job)]
  const happened = main === end ? end.happened : `${end.happened} ${main.happened}`
  return {
    cause: main.cause,
    happened: happened + told(job) + passedOver(job),
    move: CAUSES[main.cause],
    todo: main.todo,
    also: others.map((other) => other.happened),
  }
}

/** Which accounts were tried before the one that took the order, as a sentence. */
function passedOver({
  account,
  announcement,
  passedOver: accounts = [],
  otherPayments = [],
  asked: { skipped = [] } = {},
}: Job): string {
  if (announcement.is === 'due') return ''
  const notAsked = skipped
    .filter((one) => one.account !== account && !accounts.includes(one.account))
    .map((one) => ` ${one.account} was passed over because it had not answered since ${at(one.since)}.`)
    .join('')
  if (accounts.length === 0) return notAsked
  const named = accounts.map((name) => {
    const isUnsure = otherPayments.some((other) => other.account === name)
    return `${name}, ${isUnsure ? 'which did not answer' : 'which refused its credentials'}`
  })
  return ` The order went to ${account} after ${named.join(', and ')}.${notAsked}`
}
