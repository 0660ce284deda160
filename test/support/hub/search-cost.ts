import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

/**
 * Runs a search. Then runs each of its statements again to count the rows that D1 reads, and to get its plan.
 */
export async function searchCost<Found>(search: () => Promise<Found>) {
  const { prepare } = env.DB
  const statements: { query: string; values: unknown[] }[] = []
  const spy = vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
    const statement = prepare.call(env.DB, query)
    const { bind } = statement
    statement.bind = (...values) => {
      // Meanwhile the index queue may write rows of other files' jobs.
      if (query.startsWith('select')) statements.push({ query, values })
      return bind.apply(statement, values)
    }
    return statement
  })
  const found = await search()
  spy.mockRestore()
  let read = 0
  const plan: string[] = []
  for (const { query, values } of statements) {
    const run = (text: string) => env.DB.prepare(text).bind(...values)
    read += (await run(query).all()).meta.rows_read
    const { results } = await run(`explain query plan ${query}`).all<{ detail: string }>()
    plan.push(...results.map(({ detail }) => detail))
  }
  return { found, read, plan, asked: statements.length }
}
