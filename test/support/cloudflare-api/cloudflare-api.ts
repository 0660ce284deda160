import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { listenAnywhere } from '../../../src/programs/free-port.ts'
import { type Account, newAccount } from './account.ts'
import { ASSETS } from './assets.ts'
import { DATABASES } from './databases.ts'
import { type Answer, failure, success } from './operation.ts'
import { NAMESPACES, QUEUES } from './resources.ts'
import { SCRIPTS } from './scripts.ts'
import { VERSIONS } from './versions.ts'

const OPERATIONS = [...DATABASES, ...NAMESPACES, ...QUEUES, ...SCRIPTS, ...VERSIONS, ...ASSETS]

/** A double of Cloudflare's API, as far as a deploy needs it. */
export type CloudflareApi = {
  url: string
  account: Account
  /** All requests, in order: the method, and the path below the account. */
  asked: string[]
  /** Requests that Cloudflare would refuse or that this double does not know. Tests expect none. */
  wrong: string[]
  stop: () => Promise<void>
}

export async function startCloudflareApi(): Promise<CloudflareApi> {
  const account = newAccount()
  const [asked, wrong]: [string[], string[]] = [[], []]
  const server = createServer((request, response) => {
    const dump = account.exports.get(request.url?.replace('/exports/', '') ?? '')
    if (dump !== undefined) return void response.end(dump)
    answer(account, request, asked)
      .catch((error: unknown) => {
        wrong.push(error instanceof Error ? error.message : String(error))
        return failure(400, 10_000, wrong.at(-1) ?? '')
      })
      .then(({ status, body }) => write(response, status, body))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  const port = await listenAnywhere(server)
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}/client/v4`, account, asked, wrong, stop }
}

const BASE = '/client/v4'

/** The accounts that the login can use: the simulated one and another. */
function accountsOf({ id }: Account) {
  return [
    { id, name: 'Shops' },
    { id: 'fedcba9876543210fedcba9876543210', name: 'Private' },
  ]
}

/** https://developers.cloudflare.com/fundamentals/api/reference/permissions/ */
const PERMISSIONS = {
  'Workers Scripts': /^\/accounts\/[^/]+\/workers\/(?!subdomain)/,
  'Workers KV Storage': /^\/accounts\/[^/]+\/storage\/kv\//,
  D1: /^\/accounts\/[^/]+\/d1\//,
  Queues: /^\/accounts\/[^/]+\/queues/,
  'Workers Routes': /^\/zones\/[^/]+\/workers\/routes/,
}

async function answer(account: Account, request: IncomingMessage, asked: string[]): Promise<Answer> {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const path = url.pathname.slice(BASE.length)
  const method = request.method ?? ''
  const body = await bodyOf(request)
  asked.push(`${method} ${path.replace(`/accounts/${account.id}`, '')}`)
  const isAssets = path.includes('/assets/upload')
  const bearer = request.headers.authorization?.replace(/^Bearer /, '')
  if (!isAssets && bearer !== account.token) return failure(401, 10_000, 'Authentication error')
  if (method === 'GET' && path === '/accounts') return success(accountsOf(account))
  const needed = Object.entries(PERMISSIONS).find(([, paths]) => paths.test(path))?.[0]
  if (needed && account.lacks.has(needed)) return failure(403, 10_000, 'Authentication error')
  if (method === 'GET' && path === '/zones') {
    const id = account.zones.get(url.searchParams.get('name') ?? '')
    return success(id === undefined ? [] : [{ id }])
  }
  if (method === 'GET' && /^\/zones\/\w+\/workers\/routes$/.test(path)) return success([])
  for (const operation of OPERATIONS) {
    const found = operation.method === method ? operation.pattern.exec({ pathname: path }) : null
    if (!found) continue
    const { groups } = found.pathname
    if (groups['account'] !== account.id) return failure(403, 9109, 'Unauthorized to access the account')
    return operation.answer(account, groups, url, body)
  }
  throw new Error(`nobody answers ${method} ${path}`)
}

/** The request's body, parsed as a form or as JSON whatever its content type; undefined if it is empty. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const contents = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
  if (contents.length === 0) return undefined
  const type = request.headers['content-type'] ?? ''
  return type.startsWith('multipart/form-data')
    ? new Response(contents, { headers: { 'content-type': type } }).formData()
    : JSON.parse(contents.toString())
}

function write(response: ServerResponse, status: number, body: object): void {
  // A connection that is kept open would be cut while a test keeps this process busy.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(body))
}
