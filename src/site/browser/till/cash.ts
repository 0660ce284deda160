import * as v from 'valibot'
import { dayOf } from './words.ts'

const NAME = 'payment-hub-till-cash'
/** How long (ms) notes of cash are kept: shops count the till by the next morning at the latest. */
const LIFE = 48 * 60 * 60_000

/** Cash that a cashier took. The amount has the API's form. */
const Cash = v.object({
  id: v.string(),
  pos: v.string(),
  created: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amountPaid: v.string(),
})
export type Cash = v.InferOutput<typeof Cash>

const Drawer = v.pipe(v.string(), v.parseJson(), v.array(Cash))

/** Returns the cash that a point of sale took on this device on a day, newest first. */
export function cashOf(pos: string, day: string): readonly Cash[] {
  return notes()
    .filter((one) => one.pos === pos && dayOf(new Date(one.created)) === day)
    .toReversed()
}

/** Notes cash. Throws if the browser stores nothing, because the day's sum would lack it. */
export function takeCash(taken: Omit<Cash, 'id' | 'created'>): void {
  const now = new Date()
  const kept = notes().filter(({ created }) => Date.parse(created) > now.getTime() - LIFE)
  write([...kept, { ...taken, id: crypto.randomUUID(), created: now.toISOString() }])
}

/** Removes a note that the cashier made by mistake. */
export function removeCash({ id }: Pick<Cash, 'id'>): void {
  write(notes().filter((one) => one.id !== id))
}

function write(all: readonly Cash[]): void {
  localStorage.setItem(NAME, JSON.stringify(all))
}

function notes(): readonly Cash[] {
  try {
    return v.parse(Drawer, localStorage.getItem(NAME))
  } catch {
    return []
  }
}
