import { ANSWERS, TABLE } from 'virtual:openapi'
import { type Validate, judge, judgeReport, mediaTypeOf } from './judge.ts'

const validate: Validate = (schema, body) => {
  const fits = ANSWERS[schema]
  if (!fits) throw new Error(`the document has no schema ${schema}`)
  return fits(body) ? null : JSON.stringify(fits.errors)
}

/** Gives an answer of the hub on, or throws what in it is not as the OpenAPI document promises. */
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

/** Throws what in a report is not as the OpenAPI document promises. */
export function expectDocumentedReport(headers: Headers, body: string): void {
  const wrong = judgeReport(TABLE, validate, headers, body)
  if (wrong.length > 0)
    throw new Error(`A report is not as the document promises: ${wrong.join('; ')}. ${body}`)
}
