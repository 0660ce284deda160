import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { listenAnywhere } from '../programs/free-port.ts'

/**
 * Returns an address of this machine that signs a browser in to the console of a local hub: browsers send the
 * cookies of `localhost` to each of its ports. Nobody can guess the address, and it has no token in it.
 */
export async function signInLink(hub: string, token: string): Promise<string> {
  const path = `/${randomBytes(16).toString('hex')}`
  const form = { method: 'POST', headers: { origin: hub }, redirect: 'manual' } as const
  const server = createServer(({ url }, response) => {
    if (url !== path) return response.writeHead(404).end()
    return void fetch(`${hub}/console/sign-in`, { ...form, body: new URLSearchParams({ token }) })
      .then(({ headers }) => ({ location: `${hub}/console`, 'set-cookie': headers.getSetCookie() }))
      .then((headers) => response.writeHead(303, headers).end())
      .catch(() => response.writeHead(502).end())
  })
  return `http://localhost:${await listenAnywhere(server)}${path}`
}
