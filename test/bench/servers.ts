import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listenAnywhere } from '../../src/programs/free-port.ts'
import { migrate, projectSettings } from '../../src/local/serve.ts'
import { type WorkerOptions, workerOptions } from '../../src/local/worker-options.ts'
import { orderOf } from '../e2e/clients.ts'
import { type Runtime, newFolder, startRuntime } from './runtime.ts'

/** A server for the requests of a point of sale, with its access token. */
export type Server = Runtime & { token: string }
export type Hub = Server & { operatorToken: string }

const JOBS = '/v2/paymentjobs'

/**
 * Runs the hub from the build folder `bundle`, with one point of sale in test mode. Its state is in `bundle`,
 * too.
 */
export async function startHub(bundle: string): Promise<Hub> {
  const secret = () => randomBytes(32).toString('hex')
  const operatorToken = secret()
  const options = await workerOptions(bundle, {
    OPERATOR_TOKEN: operatorToken,
    SIGNING_ROOT: secret(),
    SEALING_KEY: secret(),
    LOOPBACK_URLS: 'allowed',
    INDEX_SHARDS: 'DB',
    JURISDICTION: '',
  })
  const stateDir = newFolder()
  await migrate(stateDir)
  const runtime = await startRuntime(withoutLimits(options), join(stateDir, 'v3'))
  const { url } = runtime
  const { apiKey } = await ask<{ apiKey: string }>(
    `${url}/operator/v1/pos`,
    operatorToken,
    '{"name":"Bench"}',
  )
  const { token } = await ask<{ token: string }>(`${url}/v1/guardian`, apiKey)
  return { ...runtime, token, operatorToken }
}

/**
 * Its rate limits are out of reach, because all load comes from one address and one point of sale. They still
 * count.
 */
function withoutLimits({ config, ...others }: WorkerOptions): WorkerOptions {
  const env = Object.entries(config.env ?? {}).map(([name, binding]) => [
    name,
    binding.type === 'rate-limit' ? { ...binding, simple: { ...binding.simple, limit: 1e9 } } : binding,
  ])
  return { ...others, config: { ...config, env: Object.fromEntries(env) } } as WorkerOptions
}

/**
 * The bytes that the hub stores for a new job and the sandbox's payment, and sends to the index queue, as
 * measured.
 */
const [JOB_SIZE, PAYMENT_SIZE, ROW_SIZE] = [950, 630, 360]

/** Runs the bare Worker: it makes the same operations of the same sizes on the platform, and nothing else. */
export async function startBare(hub: Hub, order: string): Promise<Server> {
  const created = await ask<{ paymentJob: string }>(hub.url + JOBS, hub.token, order)
  const read = await ask(`${hub.url}${JOBS}/${created.paymentJob}`, hub.token)
  const sizes = { CREATED_SIZE: created, READ_SIZE: read }
  const { compatibility_date = '', compatibility_flags } = projectSettings()
  const object = { type: 'durable-object', storage: 'sqlite' } as const
  const text = (value: number) => ({ type: 'text', value: String(value) }) as const
  const worker = 'bare'
  const runtime = await startRuntime(
    {
      config: {
        name: worker,
        compatibilityDate: compatibility_date,
        compatibilityFlags: compatibility_flags,
        env: {
          TOKENS: { type: 'kv', id: 'TOKENS' },
          STORED: { type: 'durable-object', worker, exportName: 'Stored' },
          ANNOUNCED: { type: 'durable-object', worker, exportName: 'Announced' },
          LIMIT: { type: 'rate-limit', namespace: '1', simple: { limit: 1e9, period: 10 } },
          ROWS: { type: 'queue', name: 'rows' },
          DB: { type: 'd1', id: 'DB' },
          JOB_SIZE: text(JOB_SIZE),
          ROW_SIZE: text(ROW_SIZE),
          PAYMENT_SIZE: text(PAYMENT_SIZE),
          CREATED_SIZE: text(JSON.stringify(sizes.CREATED_SIZE).length),
          READ_SIZE: text(JSON.stringify(sizes.READ_SIZE).length),
        },
        exports: { Stored: object, Announced: object },
        triggers: [{ type: 'queue', name: 'rows', maxBatchSize: 100, maxBatchTimeout: 2 }],
        manifest: {
          mainModule: 'index.js',
          modules: {
            'index.js': {
              type: 'esm',
              contents: await readFile(join(import.meta.dirname, 'bare-worker.js'), 'utf8'),
            },
          },
        },
      },
    },
    newFolder(),
  )
  const hubTokens = await hub.miniflare.getKVNamespace('TOKENS')
  const [known] = (await hubTokens.list({ prefix: 'token:' })).keys
  const record = known && (await hubTokens.get(known.name, 'text'))
  const tokens = await runtime.miniflare.getKVNamespace('TOKENS')
  await tokens.put(hub.token, String(record))
  const database = await runtime.miniflare.getD1Database('DB')
  await database.prepare('create table rows (id text primary key, value text not null)').run()
  return { ...runtime, token: hub.token }
}

/** Sends a request, and returns its answer. Throws if it is refused. */
export async function ask<Answer>(url: string, bearer: string, body?: string): Promise<Answer> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** A shop on this machine that accepts every report. Returns the order that it creates over and over. */
export async function openShop(): Promise<string> {
  const server = createServer((request, response) => void request.resume().on('end', () => response.end()))
  const shop = `http://127.0.0.1:${await listenAnywhere(server)}`
  return JSON.stringify(orderOf(shop))
}

/** Requests of a point of sale that create a job. */
export function creates({ token }: Server, order: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    requests: [{ method: 'POST' as const, path: JOBS, headers, body: order }],
    status: 201,
    saying: '',
  }
}

/** Requests of a point of sale that read its jobs one after the other. */
export function reads({ token }: Server, ids: readonly string[]) {
  const headers = { authorization: `Bearer ${token}` }
  return {
    requests: ids.map((id) => ({ method: 'GET' as const, path: `${JOBS}/${id}`, headers })),
    status: 200,
    saying: '',
  }
}

/** Creates `count` jobs, some at once. Returns their ids: the first one in each server's answer. */
export async function createJobs({ url, token }: Server, order: string, count: number): Promise<string[]> {
  const ids: string[] = []
  const work = async (): Promise<void> => {
    while (ids.length < count) {
      const place = ids.push('') - 1
      const response = await fetch(url + JOBS, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: order,
      })
      const text = await response.text()
      const [id] = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(text) ?? []
      if (id === undefined) throw new Error(`no job was created: ${response.status} ${text.slice(0, 300)}`)
      ids[place] = id
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return ids
}
