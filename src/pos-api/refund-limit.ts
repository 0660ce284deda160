import type * as v from 'valibot'
import { formatAmount, moneyText } from '../contract/money.ts'
import type { NewRefund } from '../contract/instruction.ts'
import { type Result, refuse } from '../contract/result.ts'
import { isoTime } from '../contract/timestamp.ts'
import type { State } from '../job/core/state.ts'
import { parseInstruction } from '../job/instruct-job.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { Context } from '../platform/http/routes.ts'
import type { Profile } from '../registry/profile.ts'
import { countRefund, refundDay, uncountRefund } from '../registry/refund-limit.ts'
import { mostOf } from '../job/core/money.ts'

type Asked = Pick<Context, 'env' | 'config'> & { body: v.InferOutput<typeof NewRefund> }

/**
 * Makes a refund (`make`) that its job does not know yet, if the limit of the point of sale has room for it.
 * The hub counts before it asks the PSP: whatever happens then, a day never gives back more than its limit. A
 * refund that is refused at once gives its room back. One that fails later does not.
 */
export async function withinDayLimit<Made>(
  { env, config, body }: Asked,
  { pos, refundLimits }: Profile,
  { job, id }: { job: State; id: string },
  make: () => Promise<Result<Made, Refusal>>,
): Promise<Result<Made, Refusal>> {
  const wanted = parseInstruction('refund', body, job)
  if (!refundLimits || !wanted.ok || job.instructions.some((known) => known.id === id)) return make()
  const { currency } = job.order
  const amount = wanted.value.amount ?? mostOf(job, 'refund')
  const limit = refundLimits[currency] ?? 0
  const { day, ends } = refundDay(Date.now(), config.timeZone)
  const refund = { id, amount, pos, currency, day }
  const { isIn, isNew, used } = await countRefund(env.DB, refund, limit)
  if (!isIn) {
    const money = (minor: number) => moneyText(minor, currency)
    const frees = isoTime(ends)
    const detail = `Today ${money(used)} of ${money(limit)} are refunded, so ${money(amount)} more are too much. The next day begins at ${frees}.`
    return refuse({
      code: 'refund-day-limit',
      detail,
      refunds: { currency, limit: formatAmount(limit, currency), used: formatAmount(used, currency), frees },
    })
  }
  const made = await make()
  if (!made.ok && isNew) await uncountRefund(env.DB, refund)
  return made
}
