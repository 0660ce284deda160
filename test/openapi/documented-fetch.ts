import { documented } from '../support/openapi/documented.ts'

/*
 * Makes `fetch` judge every answer of a hub on this machine by the OpenAPI document: a test gets an error instead of one that the
 * document does not promise. A setup file of tests that talk to running hubs.
 */

const fetchUnjudged = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const [url, sent] = input instanceof Request ? [input.url, input.method] : [String(input), 'GET']
  const response = await fetchUnjudged(input, init)
  // Hubs of this machine answer with the id of the request, and nobody else does.
  if (!response.headers.has('x-request-id')) return response
  return documented({ url, method: (init?.method ?? sent).toUpperCase() }, response)
}
