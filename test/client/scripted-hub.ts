import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answer of the hub, or of something in front of it. `cut`: the connection breaks within the body. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string; cut?: true }

/** A request that came. `at` is in ms. */
export type Came = { path: string; at: number; headers: IncomingHttpHeaders }

export const PAID: Answer = {
  status: 200,
  headers: { etag: '"1"', 'preference-applied': 'wait=1' },
  body: '{"paymentJob":"1","status":"SUCCESS","amountPaid":"12.50"}',
}
const TOKEN: Answer = { status: 200, body: '{"token":"t","expiration":1}' }

type Script = { path: string; answers: (Answer | (() => Answer))[]; came: Came[] }

/** A server that answers as scripted, over real connections, so that programs in any language can ask it. */
export async function scriptedHub() {
  const scripts: Script[] = []
  const server = createServer((request, response) => {
    const [, number = '', ...rest] = (request.url ?? '').split('/')
    const script = scripts[Number(number)]
    const path = `/${rest.join('/')}`
    script?.came.push({ path, at: Date.now(), headers: request.headers })
    const next = path.startsWith(script?.path ?? '') ? script?.answers.shift() : undefined
    const answer = (typeof next === 'function' ? next() : next) ?? (path === '/v1/guardian' ? TOKEN : PAID)
    const { status, headers = {}, body = '', cut } = answer
    const length = Buffer.byteLength(body) + (cut ? 1 : 0)
    response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'content-length': length }) })
    response.write(body)
    if (cut) setTimeout(() => response.destroy(), 50)
    else response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    close: () => server.close(),
    /**
     * Adds a hub of its own at an address of its own: requests whose path begins with `path` get these answers first, one
     * after the other. All other requests get a token or the paid job.
     */
    script: (path: string, answers: Script['answers']) => {
      const script: Script = { path, answers, came: [] }
      const url = `http://127.0.0.1:${port}/${scripts.push(script) - 1}`
      return { url, came: () => script.came.filter((one) => one.path.startsWith(path)) }
    },
  }
}
