import type { Work } from '../load.ts'
import type { Hub } from '../servers/hub.ts'
import { SHOPS, createdAt, orderNumber, shopId } from './fill.ts'

/**
 * What operators look for, among `rows` rows. Each finds as many at every size, so that only the looking may grow.
 * Without what the hub does not offer.
 */
export async function searchesOf(hub: Hub, rows: number, chance: () => number): Promise<Map<string, Work>> {
  const headers = { authorization: `Bearer ${hub.operatorToken}` }
  const time = (place: number) => new Date(createdAt(place)).toISOString()
  const lastThousand = `from=${time(rows - 1000)}&to=${time(rows)}`
  const anyRow = () => Math.floor(chance() * rows)
  const searches: Record<string, () => string> = {
    'reports given up': () => `/operator/v1/reports/undelivered?${lastThousand}`,
    'search by order number': () => `/operator/v1/jobs?order_number=${orderNumber(anyRow())}`,
    'search by point of sale': () => `/operator/v1/jobs?pos=${shopId(anyRow() % SHOPS)}&limit=20`,
    'search by time': () => `/operator/v1/jobs?${lastThousand}&limit=20`,
  }
  const offered = new Map<string, Work>()
  for (const [what, path] of Object.entries(searches)) {
    const { status } = await fetch(hub.url + path(), { headers })
    if (status === 404) continue
    offered.set(what, async (_, client) => {
      const wanted = path()
      const { text } = await client({ method: 'GET', path: wanted, headers }, 200)
      if (!text.includes(orderNumber(''))) throw new Error(`${wanted} found nothing: ${text.slice(0, 200)}`)
    })
  }
  return offered
}
