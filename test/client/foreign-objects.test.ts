import { runInNewContext } from 'node:vm'
import { Headers as OtherHeaders, Request as OtherRequest, Response as OtherResponse } from 'undici'
import { expect, it } from 'vitest'
import { createHub, verifyReport } from '../../src/client/client.ts'
import { REPORT, SIGNING_SECRET, signedReports } from '../support/shops/signed-reports.ts'

/* Frameworks, bundles and test environments have classes of their own. What their objects can do counts. */

const [genuine] = signedReports()
const headers = genuine?.headers ?? {}
const bytes = Buffer.from(REPORT)
const init = { method: 'POST', headers, body: REPORT }
/** Bytes of another realm. */
const otherBytes = (code: string): Uint8Array => {
  const made: unknown = runInNewContext(code, { list: [...bytes] })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the code makes bytes
  return made as Uint8Array
}
/** Headers that are only read, as frameworks show them. */
const view = { get: (name: string) => headers[name.toLowerCase()] }
const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))

it.each<[string, Parameters<typeof verifyReport>[0]]>([
  ['a Request', new Request('https://shop.example/report', init)],
  ["another implementation's Request", new OtherRequest('https://shop.example/report', init)],
  ["another implementation's Headers", { headers: new OtherHeaders(headers), body: REPORT }],
  ['a view of headers', { headers: view, body: bytes }],
  ['a Map of headers', { headers: new Map(Object.entries(headers)), body: bytes }],
  ['an object that has only text()', { headers: view, text: async () => REPORT }],
  [
    'an object that has only arrayBuffer()',
    {
      headers,
      arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    },
  ],
  ['the raw body that Express puts next to a stream', { headers, body: bytes, text: async () => '' }],
  ['headers of a gateway, each a list', { headers: lists, body: REPORT }],
  ["another realm's Uint8Array", { headers, body: otherBytes('Uint8Array.from(list)') }],
  ["another realm's ArrayBuffer", { headers, body: otherBytes('Uint8Array.from(list).buffer') }],
])('a report is verified from %s', async (_, request) => {
  expect(await verifyReport(request, SIGNING_SECRET)).toEqual(JSON.parse(REPORT))
})

it.each([
  ['was parsed', { headers, body: JSON.parse(REPORT) as string }],
  ['was not read', { headers, body: undefined as unknown as string }],
])('a report whose body %s is refused for that reason', async (_, request) => {
  await expect(verifyReport(request, SIGNING_SECRET)).rejects.toMatchObject({
    code: 'body-unreadable',
    message: expect.stringContaining('raw body') as string,
  })
})

/** A signal of another library: it has the members, and is no `AbortSignal`. */
function otherSignal() {
  const target = new EventTarget()
  const signal = Object.assign(target, {
    aborted: false,
    reason: undefined as unknown,
    onabort: null,
    throwIfAborted: () => {
      if (signal.aborted) throw signal.reason
    },
  })
  const abort = (reason: unknown) => {
    Object.assign(signal, { aborted: true, reason })
    target.dispatchEvent(new Event('abort'))
  }
  return { signal, abort }
}

it('a call ends by a signal of another library, and takes a fetch, a Response and a Date of others', async () => {
  const asked: string[] = []
  const hub = createHub({
    baseUrl: 'https://hub.example.com',
    apiKey: 'a key',
    fetch: async (url, { signal }) => {
      asked.push(url)
      if (url.endsWith('/guardian')) return other({ token: 't', expiration: 1 })
      if (url.includes('from=')) return other({ paymentJobs: [], next: null })
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Response by what it can do
  const other = (body: object) => new OtherResponse(JSON.stringify(body)) as unknown as Response
  const from = runInNewContext('new Date(0)') as Date
  expect(await hub.listPaymentJobs({ from })).toEqual({ paymentJobs: [], next: null })
  expect(asked.at(-1)).toContain('from=1970-01-01T00%3A00%3A00.000Z')

  const { signal, abort } = otherSignal()
  const reading = hub.getPaymentJob('1', { signal })
  setTimeout(() => abort(new Error('the till was closed')), 50)
  await expect(reading).rejects.toThrow('the till was closed')
  await expect(hub.waitFor('1', { signal })).rejects.toThrow('the till was closed')
})
