import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HubWay, hubWay } from '../../src/kit/certify/network.ts'
import { freePort, listenAnywhere } from '../../src/programs/free-port.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'

/** The requests that reached the hub, and those that reached another local server, which must get none. */
const [atHub, atOther]: [string[], string[]] = [[], []]
const hub = createServer((asked, answer) => answer.end(String(atHub.push(asked.url ?? ''))))
const other = createServer((asked, answer) => answer.end(String(atOther.push(asked.url ?? ''))))
let way: HubWay
let port: number
let otherPort: number

beforeAll(async () => {
  otherPort = await listenAnywhere(other)
  port = await freePort()
  way = await hubWay(`http://127.0.0.1:${await listenAnywhere(hub)}`, port, '')
})

afterAll(() => {
  way.close()
  for (const server of [hub, other]) server.close()
})

/** The status of the answer to a request whose target is sent unchanged. */
async function statusOf(path: string, host = '127.0.0.1'): Promise<number | undefined> {
  const asked = request({ host, port, path, agent: false }).end()
  const [answer] = await once(asked, 'response')
  answer.resume()
  return answer.statusCode
}

it('leads to the hub, by either loopback address', async () => {
  expect(await statusOf('/v2/paymentmethods?currency=EUR')).toBe(200)
  expect(atHub).toEqual(['/v2/paymentmethods?currency=EUR'])
  const hasIpv6 = Object.values(networkInterfaces()).some((one) =>
    one?.some(({ address }) => address === '::1'),
  )
  if (hasIpv6) expect(await statusOf('/', '::1')).toBe(200)
})

it.each([
  'http://127.0.0.1:PORT/',
  '//127.0.0.1:PORT/',
  String.raw`/\127.0.0.1:PORT/`,
  '//user@127.0.0.1:PORT/',
  '*',
])('leads nobody to %s', async (target) => {
  expect(await statusOf(target.replace('PORT', String(otherPort)))).toBe(421)
  expect(atOther).toEqual([])
})

it('does not listen on the network', async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((one = []) =>
    one.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
  )
  for (const host of [...addresses, '127.0.0.2']) {
    await expect(once(connect({ host, port, timeout: 2000 }), 'connect')).rejects.toThrow(/ECONN|EADDR|ENET/)
  }
})

it('does not start at a port that is taken', async () => {
  await expect(hubWay('http://127.0.0.1:1', port, '')).rejects.toThrow('EADDRINUSE')
})

it('is like every server of the programs: each begins in the one file that knows loopback only', () => {
  const src = join(PROJECT, 'src')
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(join(src, file), 'utf8')])
  const listening = sources.filter(([, text]) => /\.listen\(|\bserve\(\{|Deno\.|Bun\./.test(text ?? ''))
  expect(listening.map(([file]) => file)).toEqual([join('programs', 'free-port.ts')])
  // Without a `host` option, the runtime listens on loopback only.
  const hosts = sources.flatMap(([, text]) => text?.match(/^\s*host: .*$/gm) ?? []).map((line) => line.trim())
  expect(new Set(hosts)).toEqual(new Set(["host: '127.0.0.1',"]))
  const [, begun = ''] = listening[0] ?? []
  expect(begun.match(/\.listen\([^)]*\)/g)?.filter((one) => !/, ('127\.0\.0\.1'|host)\)/.test(one))).toEqual(
    [],
  )
})
