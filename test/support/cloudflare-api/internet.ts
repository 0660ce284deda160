import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { Response } from 'miniflare'
import { listenAnywhere } from '../../../src/programs/free-port.ts'
import type { Account } from './account.ts'
import { type DeployedWorker, runDeployed } from './deployed-worker.ts'

/**
 * The internet, as a local proxy. The address of each Worker on workers.dev leads to its live version, and no
 * other address exists. `sent` has the requests that Workers sent out.
 */
export async function openInternet(account: Account) {
  const running = new Map<string, Promise<DeployedWorker>>()
  const sent: { url: string; headers: Headers; body: string }[] = []
  const outside = (url: string, headers: Headers, body: string) => {
    sent.push({ url, headers, body })
    return new Response(null, { status: 204 })
  }

  const workerAt = async (host: string): Promise<DeployedWorker | null> => {
    const script = [...account.scripts.values()].find(
      ({ name, isOnWorkersDev }) => isOnWorkersDev && host === `${name}.${account.subdomain}.workers.dev`,
    )
    if (!script) return null
    const known = await running.get(script.name)
    if (known && known.version === script.deployed.at(-1)) return known
    await known?.stop()
    const started = runDeployed(account, script, outside)
    running.set(script.name, started)
    return started
  }

  const proxy = createServer((_, response) => response.writeHead(502).end())
  const clients = new Set<Duplex>()
  proxy.on('connect', (request, client, head) => {
    clients.add(client)
    client.on('error', () => {})
    workerAt((request.url ?? '').replace(/:443$/, ''))
      .then((worker) => {
        if (!worker) return void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
        const upstream = connect(Number(worker.url.port), '127.0.0.1', () => {
          client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
          upstream.write(head)
          upstream.pipe(client)
          client.pipe(upstream)
        })
        upstream.on('error', () => client.destroy())
        client.on('close', () => upstream.destroy())
      })
      .catch((error: unknown) => client.destroy(error instanceof Error ? error : undefined))
  })
  const port = await listenAnywhere(proxy)
  const close = async () => {
    proxy.close()
    for (const client of clients) client.destroy()
    for (const worker of running.values()) await worker.then(({ stop }) => stop())
  }
  /**
   * The environment with which a Node program reaches this internet. Its certificates are not trusted by
   * anyone.
   */
  const env = {
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
    NO_PROXY: '127.0.0.1,localhost',
    NODE_USE_ENV_PROXY: '1',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
  }
  return { env, sent, close }
}
