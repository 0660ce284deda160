import { ok } from '../../contract/result.ts'
import type { Answer } from '../../platform/http/routes.ts'

const HAL = { 'content-type': 'application/hal+json' }

const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized Request',
  404: 'Not Found',
  422: 'Unprocessable Entity',
}

/** An error as Mollie sends it: https://docs.mollie.com/reference/handling-errors */
export function mollieError(status: keyof typeof TITLES, detail: string, field?: string): Answer {
  return ok(
    Response.json(
      { status, title: TITLES[status], detail, ...(field ? { field } : {}), _links: {} },
      { status, headers: HAL },
    ),
  )
}

export function hal(body: object, status = 200, headers: Record<string, string> = {}): Answer {
  return ok(Response.json(body, { status, headers: { ...HAL, ...headers } }))
}
