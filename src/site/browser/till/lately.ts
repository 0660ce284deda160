import * as v from 'valibot'

const NAME = 'payment-hub-till-methods'
/** How many methods are shown before all others: a stall has one or two. */
const MOST = 3

const Methods = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

/** Returns the payment methods of this browser's last orders, the newest first. */
export function methodsUsedLately(): readonly string[] {
  try {
    const { success, output } = v.safeParse(Methods, localStorage.getItem(NAME))
    return success ? output : []
  } catch {
    // The browser stores nothing.
    return []
  }
}

export function rememberMethod(method: string): void {
  const methods = [method, ...methodsUsedLately().filter((one) => one !== method)].slice(0, MOST)
  try {
    localStorage.setItem(NAME, JSON.stringify(methods))
  } catch {
    // The next order has them in the usual order.
  }
}
