import { judge, mediaTypeOf } from '../support/openapi/judge.ts'
import { TABLE, answerValidator } from './compile.ts'

/*
 * Makes `fetch` judge every answer of a hub on this machine by the OpenAPI document: a test gets an error in place of one that the
 * document does not promise. A setup file of tests that talk to running hubs.
 */

const fetchUnjudged = globalThis.fetch
const validate = answerValidator()

/** Hubs of this machine answer with the id of the request, and nobody else does. */
function isOfAHub({ headers }: Response): boolean {
  return headers.has('x-request-id')
}

globalThis.fetch = async (input, init) => {
  const [url, sent] = input instanceof Request ? [input.url, input.method] : [String(input), 'GET']
  const method = (init?.method ?? sent).toUpperCase()
  const response = await fetchUnjudged(input, init)
  if (!isOfAHub(response)) return response
  const isJson = /^application\/(problem\+)?json$/.test(mediaTypeOf(response.headers))
  const { status, headers } = response
  const body = isJson && response.body ? await response.clone().text() : null
  const wrong = judge(TABLE, validate, { method, url, status, headers, body })
  if (wrong.length === 0) return response
  throw new Error(
    `${method} ${url} answered ${status}, which the document does not promise: ${wrong.join('; ')}. ${body}`,
  )
}
