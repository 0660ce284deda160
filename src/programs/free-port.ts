import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type RequestListener, createServer } from 'node:http'
import type { Server } from 'node:net'

/**
 * Serves HTTP at a port of this machine to programs on this machine only.
 * `localhost` may be either loopback address, so the server listens on both. Throws if the port is taken.
 */
export async function serveLocally(listener: RequestListener, port: number): Promise<{ close: () => void }> {
  const servers = ['127.0.0.1', '::1'].map((host) => createServer(listener).listen(port, host))
  const close = () => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  }
  try {
    await Promise.all(servers.map((server) => once(server, 'listening').catch(unlessWithoutIpv6)))
    return { close }
  } catch (error) {
    close()
    throw error
  }
}

function unlessWithoutIpv6(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') throw error
}

/** Lets a server listen on a free port of this machine, and returns the port. */
export async function listenAnywhere(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** Returns whether a port of this machine is free at both addresses that `localhost` may be. */
export async function isFree(port: number): Promise<boolean> {
  try {
    const { close } = await serveLocally(() => {}, port)
    close()
    return true
  } catch {
    return false
  }
}

/**
 * Returns a free port. No other program that asks here gets it while this one runs, because most
 * ports are told to a program that listens only later. Below 32,768, because systems give the ports
 * above to outgoing connections.
 */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 22_768)
  return (await isFree(port)) && (await keep(port)) ? port : freePort()
}

/** Keeps a port by UDP, which is free again once this program has ended, however it ended. */
async function keep(port: number): Promise<boolean> {
  const mark = createSocket('udp4').unref()
  try {
    mark.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(mark, 'listening')
    return true
  } catch {
    mark.close()
    return false
  }
}
