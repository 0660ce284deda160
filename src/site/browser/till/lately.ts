import * as v from 'valibot'

const NAME = 'payment-hub-till-methods'
const MOST = 3

const Methods = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

/** Returns the payment methods of this browser's last orders, newest first; none if it stores nothing. */
export function methodsUsedLately(): readonly string[] {
  try {
    return v.parse(Methods, localStorage.getItem(NAME))
  } catch {
    return []
  }
}

export function rememberMethod(method: string): void {
  const methods = [...new Set([method, ...methodsUsedLately()])].slice(0, MOST)
  try {
    localStorage.setItem(NAME, JSON.stringify(methods))
  } catch {
    // A browser that stores nothing.
  }
}
