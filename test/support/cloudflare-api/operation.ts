import * as v from 'valibot'
import type { Account } from './account.ts'

/** The answer of an operation: Cloudflare's envelope around a result or an error. */
export type Answer = { status: number; body: object }

export function success(result: unknown, more: object = {}): Answer {
  return {
    status: 200,
    body: { success: true, errors: [], messages: [], result, ...more },
  }
}

export function failure(status: number, code: number, message: string): Answer {
  return {
    status,
    body: { success: false, errors: [{ code, message }], messages: [], result: null },
  }
}

/** One row in the table of operations. It checks a request before it answers. */
export type Operation = {
  method: string
  pattern: URLPattern
  answer: (account: Account, params: Params, url: URL, body: unknown) => Answer | Promise<Answer>
}
type Params = Readonly<Record<string, string | undefined>>

type OperationRequest<Query, Body> = { params: (name: string) => string; query: Query; body: Body; url: URL }

const NOTHING = v.undefined()

/** Query parameters by name. A repeated name has a list of values. */
function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    Array.from(new Set(search.keys()), (name) => {
      const [first = '', ...others] = search.getAll(name)
      return [name, others.length > 0 ? [first, ...others] : first]
    }),
  )
}

/**
 * Defines an operation below `/accounts/ACCOUNT`. Its schemas are strict: it refuses parameters and members
 * that the API does not know, and reports the request as one that Cloudflare would refuse.
 */
export function operation<
  Body extends v.GenericSchema = typeof NOTHING,
  Query extends v.GenericSchema = v.StrictObjectSchema<{}, undefined>,
>(
  methodAndPath: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  schemas: { body?: Body; query?: Query },
  answer: (
    account: Account,
    request: OperationRequest<v.InferOutput<Query>, v.InferOutput<Body>>,
  ) => Answer | Promise<Answer>,
): Operation {
  const [method = '', path = ''] = methodAndPath.split(' ')
  return {
    method,
    pattern: new URLPattern({ pathname: `/accounts/:account${path}` }),
    answer: (account, params, url, sent) => {
      const query = v.safeParse(schemas.query ?? v.strictObject({}), queryOf(url.searchParams))
      const body = v.safeParse(schemas.body ?? NOTHING, sent)
      if (!query.success || !body.success) {
        const issues = [...(query.issues ?? []), ...(body.issues ?? [])]
        const wrong = issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('; ')
        throw new Error(`${methodAndPath}: ${wrong}`)
      }
      return answer(account, {
        params: (name) => params[name] ?? '',
        query: query.output,
        body: body.output,
        url,
      })
    },
  }
}
