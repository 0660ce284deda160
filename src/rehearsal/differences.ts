import canonicalize from 'canonicalize'

/** A place where two releases differ after an entry. A side that lacks it is undefined. */
type Difference = { path: string; before: unknown; after: unknown }

/**
 * Finds where two values differ; `before` is the older release's. The order of members does not
 * count, nor does an empty member that the older release did not have.
 */
export function differencesOf(before: unknown, after: unknown, path = ''): Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => {
      if (!(name in before) && isEmpty(after[name])) return []
      return differencesOf(before[name], after[name], path === '' ? name : `${path}.${name}`)
    })
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const longest = Math.max(before.length, after.length)
    return Array.from({ length: longest }).flatMap((_, at) =>
      differencesOf(before[at], after[at], `${path}[]`),
    )
  }
  return canonicalize(before) === canonicalize(after) ? [] : [{ path, before, after }]
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names the kind of a change, in the same words for each job that shows it. */
export function changeOf({ path, before, after }: Difference): string {
  const where = path === '' ? '' : `${path}: `
  if (typeof before === 'number' && typeof after === 'number')
    return `${where}a ${after > before ? 'higher' : 'lower'} number`
  const [was, is] = [wordOf(before, path), wordOf(after, path)]
  return `${where}${was === is ? `another ${is.replace(/^an? /, '')}` : `${was} → ${is}`}`
}

/** A name that the code itself gives: a status, a cause, the kind of a fact or of a duty. */
const IS_WORD = /^[A-Za-z]+(-[a-z]+)*$/

function wordOf(value: unknown, path: string): string {
  if (value === undefined) return 'none'
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return IS_WORD.test(value) && !isOfShop(path) ? value : 'a text'
  if (typeof value === 'number') return 'a number'
  if (!isObject(value)) return 'a list'
  const name = value['is'] ?? value['cause'] ?? value['do']
  return typeof name === 'string' ? name : 'an object'
}

/** Members with texts of shops, customers and PSPs, whatever they look like. */
const OF_SHOPS = /(^|\.)(order(Id|Number)|description|\w+Url|message|error)$/
/** Amounts, and times as ISO 8601. */
const IS_PLAIN = /^(-?\d+\.\d+|\d{4}-\d\d-\d\dT[\d:.]+Z)$/

function isOfShop(path: string): boolean {
  return OF_SHOPS.test(path)
}

/** Replaces texts that a shop or a customer may have written, so that the rest can be shown to anyone. */
export function withoutOrders(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutOrders(one, path))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutOrders(one, name)]))
  if (typeof value !== 'string') return value
  const isOpen = IS_WORD.test(value) || IS_PLAIN.test(value)
  return isOpen && !isOfShop(path) ? value : `(${value.length} characters)`
}
