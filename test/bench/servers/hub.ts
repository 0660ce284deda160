import { randomBytes } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type WorkerOptions, workerOptions } from '../../../src/tools/local/worker-options.ts'
import { PROJECT } from '../../../src/tools/wrangler.ts'
import { openClients } from '../load.ts'
import { type Runtime, startRuntime } from './runtime.ts'
import type { Server } from './server.ts'

export type Hub = Server & { operatorToken: string; apiKey: string; runtime: Runtime }

/** Runs the hub as built in the folder `bundle`, with one point of sale in test mode. */
export async function startHub(
  bundle: string,
  stateDir: string,
  tell: (line: string) => void,
  inspectorPort?: number,
): Promise<Hub> {
  const operatorToken = secret()
  const options = await workerOptions(bundle, {
    OPERATOR_TOKEN: operatorToken,
    SIGNING_ROOT: secret(),
    SEALING_KEY: secret(),
    LOOPBACK_URLS: 'allowed',
    INDEX_SHARDS: 'DB',
  })
  const runtime = await startRuntime(withoutLimits(options), stateDir, tell, inspectorPort)
  await migrate(runtime)
  const { apiKey, token } = await addPointOfSale(runtime.url, operatorToken, 'Bench')
  const clients = openClients(runtime.url)
  return {
    name: 'hub',
    url: runtime.url,
    token,
    operatorToken,
    apiKey,
    runtime,
    clients,
    pids: runtime.pids,
    stop: async () => {
      await clients.close()
      await runtime.stop()
    },
  }
}

function secret(): string {
  return randomBytes(32).toString('hex')
}

/** Its rate limits are raised beyond reach: all load comes from one address and one point of sale. They still count. */
function withoutLimits(options: WorkerOptions): WorkerOptions {
  const env = Object.entries(options.config.env ?? {}).map(([name, binding]) => [
    name,
    binding.type === 'rate-limit' ? { ...binding, simple: { ...binding.simple, limit: 1e9 } } : binding,
  ])
  return { ...options, config: { ...options.config, env: Object.fromEntries(env) } } as WorkerOptions
}

/** Applies the migrations through the runtime, which saves starting wrangler. */
async function migrate({ miniflare }: Runtime): Promise<void> {
  const folder = join(PROJECT, 'migrations')
  const database = await miniflare.getD1Database('DB')
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  for (const file of files) {
    const statements = (await readFile(join(folder, file), 'utf8')).split('--> statement-breakpoint')
    await database.batch(statements.map((statement) => database.prepare(statement)))
  }
}

/** Adds a point of sale as its operator does, and gets it a token. */
export async function addPointOfSale(
  url: string,
  operatorToken: string,
  name: string,
): Promise<{ apiKey: string; token: string }> {
  const { apiKey } = await ask<{ apiKey: string }>(`${url}/operator/v1/pos`, operatorToken, { name })
  const { token } = await ask<{ token: string }>(`${url}/v1/guardian`, apiKey)
  return { apiKey, token }
}

async function ask<Answer>(url: string, bearer: string, body?: object): Promise<Answer> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}
