import { documented } from '../support/openapi/documented.ts'

/**
 * Makes `fetch` judge every answer of a local hub by the OpenAPI document, and throw if it is not documented.
 * A setup file of tests that talk to running hubs.
 */

const fetchUnjudged = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const [url, sent] = input instanceof Request ? [input.url, input.method] : [String(input), 'GET']
  const response = await fetchUnjudged(input, init)
  // Only hubs on this machine answer with the id of the request.
  if (!response.headers.has('x-request-id')) return response
  return documented({ url, method: (init?.method ?? sent).toUpperCase() }, response)
}
