import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { listenAnywhere } from '../programs/free-port.ts'

/**
 * Returns an address of this machine that signs a browser in to the console of a local hub. It works because
 * a browser sends the cookies of `localhost` to each of its ports. Nobody can guess the address, and it has no
 * token in it.
 */
export async function signInLink(hub: string, token: string): Promise<string> {
  const path = `/${randomBytes(16).toString('hex')}`
  const signIn = async (): Promise<[status: number, headers: Record<string, string | string[]>]> => {
    const body = new URLSearchParams({ token })
    const form = { method: 'POST', body, headers: { origin: hub }, redirect: 'manual' } as const
    const { headers } = await fetch(`${hub}/console/sign-in`, form)
    return [303, { location: `${hub}/console`, 'set-cookie': headers.getSetCookie() }]
  }
  const server = createServer((request, response) => {
    const answer =
      request.method === 'GET' && request.url === path ? signIn() : Promise.resolve([404] as const)
    void answer.then(([status, headers]) => response.writeHead(status, headers).end())
  })
  return `http://localhost:${await listenAnywhere(server)}${path}`
}
