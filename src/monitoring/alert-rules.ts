import * as v from 'valibot'
import { type AccountHealth, AlertKind } from '../contract/hub-health.ts'
import { moneyText } from '../contract/money.ts'
import type { JobRow } from '../job/core/row.ts'
import { storedShape } from '../platform/stored.ts'
import { DAY, HOUR, MINUTE, isoTime } from '../contract/timestamp.ts'
import type { Mode } from '../contract/values.ts'
import type { ShopWithAnswer } from './failing-shops.ts'
import { heldBy } from '../job/core/money.ts'

export type Trouble = { kind: AlertKind; subject: string; detail: string }

/**
 * An alert; times in ms. `toldAt`: when the queue took the newest message. `wellSince`: since when
 * the trouble has not been seen.
 */
export type Alert = Trouble & {
  id: string
  since: number
  toldAt: number | null
  wellSince: number | null
  endedAt: number | null
}

/** Queue `alerts`: a message to the operator. `id` is its `webhook-id`; `at` is in ms. */
export const AlertMessage = v.object({
  id: v.string(),
  type: v.picklist(['alert.begun', 'alert.lasts', 'alert.ended', 'alert.test']),
  alert: v.string(),
  kind: v.nullable(AlertKind),
  subject: v.string(),
  detail: v.string(),
  since: v.number(),
  at: v.number(),
})
export type AlertMessage = v.InferOutput<typeof AlertMessage>
export const alertMessage = storedShape(AlertMessage)

/** A trouble that lasts causes one message per this time (ms). */
export const QUIET = 6 * HOUR
/** A trouble ends once it was not seen for this long (ms), so one that comes and goes stays one alert. */
export const WELL_FOR = 10 * MINUTE

/** A report counts once it has failed for this long (ms). */
export const FAILING_FOR = 5 * MINUTE
const FAILING_REPORTS = 3
/** A report counts for this long (ms) after the hub gave it up. */
export const GIVEN_UP_FOR = DAY
/** A job may wait this long (ms) to be announced at its PSP. */
const WAITING_FOR = 2 * MINUTE

/** A shop's reports that have failed for `FAILING_FOR`, and those given up within `GIVEN_UP_FOR`. */
type FailingToShop = Pick<ShopWithAnswer, 'pos' | 'name' | 'failing' | 'givenUp' | 'lastOutcome'>

export function shopTrouble({ pos, name, failing, givenUp, lastOutcome }: FailingToShop): Trouble | null {
  if (failing < FAILING_REPORTS && givenUp === 0) return null
  const reports = [
    ...(failing > 0 ? [`${failing} not delivered for more than 5 minutes`] : []),
    ...(givenUp > 0 ? [`${givenUp} given up within a day`] : []),
  ].join(', ')
  const answer = lastOutcome === null ? '' : ` Its receiver's last answer: ${lastOutcome}.`
  return { kind: 'shop-failing', subject: pos, detail: `Reports to ${name} fail: ${reports}.${answer}` }
}

/** Marks the trouble of a shop or an account in test mode, where no money moves. */
export function inMode(mode: Mode, trouble: Trouble | null): Trouble[] {
  if (trouble === null) return []
  return [mode === 'test' ? { ...trouble, detail: `Test mode: ${trouble.detail}` } : trouble]
}

/** Returns the trouble that the nightly check of the index found, or null. */
export function indexTrouble(wrong: readonly { day: string; wrong: number }[]): Trouble | null {
  const [first] = wrong
  if (!first) return null
  const count = wrong.reduce((sum, one) => sum + one.wrong, 0)
  const errors = count === 1 ? '1 error' : `${count} errors`
  const days = wrong.length === 1 ? first.day : `${wrong.length} days, from ${first.day} on`
  const detail = `The index has ${errors} on ${days}. To repair it: hub index rebuild`
  return { kind: 'hub-failing', subject: 'index', detail }
}

/** Returns the trouble of backups that do not reach their bucket, or null. */
export function backupTrouble({ isLate, message }: { isLate: boolean; message: string }): Trouble | null {
  if (!isLate) return null
  const detail = `No complete backup has reached the bucket for 36 hours: ${message}. Look for queue.message-failed in the log.`
  return { kind: 'hub-failing', subject: 'backups', detail }
}

type UnappliedPayment = Pick<JobRow, 'id' | 'orderNumber' | 'currency' | 'unapplied'>

/** Returns the trouble of a payment with money that pays no order. */
export function moneyTrouble({ id, orderNumber, currency, unapplied }: UnappliedPayment): Trouble {
  return {
    kind: 'money-unapplied',
    subject: id,
    detail: `${moneyText(unapplied, currency)} received for order ${orderNumber} pays no order: hub job why ${id}`,
  }
}

/** The operator is warned this long (ms) before a reservation ends. */
export const RESERVED_FOR = DAY

/** Returns the trouble of a payment whose reservation ends within a day. */
export function reservationTrouble(row: JobRow): Trouble {
  const { id, orderNumber, currency, captureBefore } = row
  // A reservation counts only until the job is paid, and until then a failed capture lowers `paid`.
  const money = moneyText(heldBy({ ...row, lost: 0 }), currency)
  return {
    kind: 'reservation-ending',
    subject: id,
    detail: `${money} of order ${orderNumber} is reserved only until ${isoTime(captureBefore)}, and the shop has not captured it yet: hub job why ${id}`,
  }
}

/** `failedBefore`: the previous check failed too. `oldest` (ms): when the oldest waiting job was created. */
type AccountStanding = Pick<AccountHealth, 'account' | 'state' | 'message' | 'waiting'> & {
  failedBefore: boolean
  oldest: number | null
}

/** Returns an account's trouble, or null. A single failed check is no trouble: it may be an accident. */
export function accountTrouble(standing: AccountStanding, now: number): Trouble | null {
  const { account, state, message, failedBefore, waiting, oldest } = standing
  const isFailing = failedBefore && (state === 'refused' || state === 'unavailable')
  const isLate = oldest !== null && now - oldest > WAITING_FOR
  if (!isFailing && !isLate) return null
  const answer = state === 'refused' ? 'refuses the credentials' : 'does not answer'
  const detail = [
    ...(isLate ? [`${waiting} payments wait to be announced at ${account}.`] : []),
    ...(isFailing ? [`The PSP of ${account} ${answer}: ${message ?? 'it gave no reason'}`] : []),
  ].join(' ')
  return { kind: 'account-failing', subject: account, detail }
}

/** Decides which alerts begin, change and end. An alert stays if its kind could not be checked. */
export function decideAlerts(
  open: readonly Alert[],
  troubles: readonly Trouble[],
  isKnown: (kind: AlertKind) => boolean,
  now: number,
  newId: () => string,
): { begun: Alert[]; changed: Alert[] } {
  const isOf = (one: Trouble) => (other: Trouble) => one.kind === other.kind && one.subject === other.subject
  const fresh = { since: now, toldAt: null, wellSince: null, endedAt: null }
  const begun = troubles.flatMap((trouble) =>
    open.some(isOf(trouble)) ? [] : [{ ...trouble, id: newId(), ...fresh }],
  )
  const changed = open
    .filter(({ kind }) => isKnown(kind))
    .flatMap((alert): Alert[] => {
      const trouble = troubles.find(isOf(alert))
      if (trouble) return alert.wellSince === null ? [] : [{ ...alert, wellSince: null }]
      if (alert.wellSince === null) return [{ ...alert, wellSince: now }]
      return now - alert.wellSince >= WELL_FOR ? [{ ...alert, endedAt: now }] : []
    })
  return { begun, changed }
}

/**
 * Returns the message to send now, or null: one when an alert begins, one per `QUIET` while it lasts,
 * and one when it ends. The hub writes `toldAt` after the queue took the message, so after a run that
 * was cut off the next one sends the message again, under the same id.
 */
export function messageDue(alert: Alert, now: number): AlertMessage | null {
  const { id, kind, subject, detail, since, toldAt, wellSince, endedAt } = alert
  const message = (type: AlertMessage['type'], name: string): AlertMessage => {
    return { id: `alert_${id}_${name}`, type, alert: id, kind, subject, detail, since, at: now }
  }
  if (endedAt !== null) return toldAt === null || toldAt < endedAt ? message('alert.ended', 'ended') : null
  if (toldAt === null) return message('alert.begun', 'begun')
  // Money that waits for a decision is no failure: one message is enough.
  if (kind === 'money-unapplied' || kind === 'reservation-ending') return null
  return wellSince === null && now - toldAt >= QUIET ? message('alert.lasts', `lasts_${toldAt}`) : null
}
