import * as v from 'valibot'
import { inAscii } from '../contract/typed-amount.ts'
import { minorOf, money, say } from './speech.ts'
import { type TypedAmount, dayOf, typedAmount } from './words.ts'

const NAME = 'payment-hub-till-cash'
const DRAWERS = 'payment-hub-till-drawers'
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

/** The float and the count of a cash drawer, as the cashier typed them. Its id has the day and the currency. */
const Drawer = v.object({ id: v.string(), created: v.string(), float: v.string(), counted: v.string() })
export type Drawer = Omit<v.InferOutput<typeof Drawer>, 'created'>

/** Returns the cash that a point of sale took on this device on a day, newest first. */
export function cashOf(pos: string, day: string): readonly Cash[] {
  return notes()
    .filter((one) => one.pos === pos && dayOf(new Date(one.created)) === day)
    .toReversed()
}

/** Notes cash. Throws if the browser stores nothing, because the day's sum would lack it. */
export function takeCash(taken: Omit<Cash, 'id' | 'created'>): void {
  keep(NAME, notes(), { ...taken, id: crypto.randomUUID() })
}

/** Removes a note that the cashier made by mistake. */
export function removeCash({ id }: Pick<Cash, 'id'>): void {
  localStorage.setItem(NAME, JSON.stringify(notes().filter((one) => one.id !== id)))
}

export function drawerOf(pos: string, day: string, currency: string): Drawer {
  const id = `${pos} ${day} ${currency}`
  return listIn(DRAWERS, Drawer).find((one) => one.id === id) ?? { id, float: '', counted: '' }
}

/** Keeps a drawer as long as notes of cash. Throws if the browser stores nothing. */
export function keepDrawer(drawer: Drawer): void {
  keep(DRAWERS, listIn(DRAWERS, Drawer), drawer)
}

/** Reads typed cash in minor units, which may be none; or says what is wrong with it. */
export function typedCash(text: string, currency: string): { minor: number; wrong: string } {
  if (/^[0.,]*$/.test(inAscii(text))) return { minor: 0, wrong: '' }
  const typed = typedAmount(text, currency)
  return typed.ok ? { minor: minorOf(typed.api, currency), wrong: '' } : { minor: 0, wrong: typed.wrong }
}

/** Says the change for the cash that a customer gave, or what is wrong with it; nothing if none was typed. */
export function changeOf(given: string, price: TypedAmount, currency: string) {
  if (given.trim() === '' || !price.ok) return { shown: '', wrong: '' }
  const { minor, wrong } = typedCash(given, currency)
  const change = minor - minorOf(price.api, currency)
  return wrong === '' && change >= 0
    ? { shown: say('change', { amount: money(change, currency) }), wrong }
    : { shown: '', wrong: wrong || say('check', { fields: `${say('given')} < ${price.shown}` }) }
}

function notes(): readonly Cash[] {
  return listIn(NAME, Cash)
}

function listIn<Entry>(name: string, entry: v.GenericSchema<unknown, Entry>): readonly Entry[] {
  try {
    return v.parse(v.pipe(v.string(), v.parseJson(), v.array(entry)), localStorage.getItem(name))
  } catch {
    return []
  }
}

/** Adds an entry to a list or replaces it there, and drops the old ones. */
function keep(name: string, list: readonly { id: string; created: string }[], entry: { id: string }): void {
  const now = new Date()
  const others = list.filter((one) => one.id !== entry.id && Date.parse(one.created) > now.getTime() - LIFE)
  localStorage.setItem(name, JSON.stringify([...others, { ...entry, created: now.toISOString() }]))
}
