import { PointOfSaleList } from '../../contract/points-of-sale.ts'
import { quoted, UsageError } from '../usage-error.ts'
import type { OperatorApi } from './operator-api.ts'

/** The argument that names a point of sale. */
export const POS = {
  type: 'positional',
  required: true,
  description: 'the point of sale: its id or name',
} as const

/** The id of a point of sale that an operator named by its id or by its name, in small or capital letters. */
export async function posIdOf(api: OperatorApi, named: string): Promise<string> {
  if (/^[0-9a-f]{32}$/.test(named)) return named
  const { pointsOfSale } = await api(PointOfSaleList, 'GET', '/pos')
  const exact = pointsOfSale.filter(({ id, name }) => id === named || name === named)
  const wanted = named.trim().toLowerCase()
  const like = pointsOfSale.filter(({ name }) => name.toLowerCase() === wanted)
  const [found, ...others] = exact.length > 0 ? exact : like
  if (!found) return named // The hub says that it knows none of that id.
  if (others.length === 0) return found.id
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw new UsageError(`Several points of sale are named ${quoted(named)}. Say which by its id: ${ids}`)
}
