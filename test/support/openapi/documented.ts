import { ANSWERS, TABLE } from 'virtual:openapi'
import { type Validate, judge, judgeReport, mediaTypeOf } from './judge.ts'

const validate: Validate = (schema, body) => {
  const fits = ANSWERS[schema]
  if (!fits) throw new Error(`the document has no schema ${schema}`)
  return fits(body) ? null : JSON.stringify(fits.errors)
}

/** Returns the hub's answer, or throws if it differs from the OpenAPI document. */
export async function documented(
  { method, url }: Pick<Request, 'method' | 'url'>,
  response: Response,
): Promise<Response> {
  const isJson = /^application\/(problem\+)?json$/.test(mediaTypeOf(response.headers))
  const { status, headers } = response
  const body = isJson && response.body ? await response.clone().text() : null
  const wrong = judge(TABLE, validate, { method, url, status, headers, body })
  if (wrong.length > 0) {
    throw new Error(
      `${method} ${url} answered ${status}, which the document does not promise: ${wrong.join('; ')}. ${body}`,
    )
  }
  return response
}

/** Throws if a report differs from the OpenAPI document. */
export function expectDocumentedReport(headers: Headers, body: string): void {
  const wrong = judgeReport(TABLE, validate, headers, body)
  if (wrong.length > 0)
    throw new Error(`A report is not as the document promises: ${wrong.join('; ')}. ${body}`)
}
