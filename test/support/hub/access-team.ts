import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { vi } from 'vitest'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>
type Key = KeyPair & { id: string }

async function newKey(id: string): Promise<Key> {
  return { ...(await generateKeyPair('RS256')), id }
}

/** The first key of every team is the same, because making a key takes a tenth of a second. */
let first: Key | undefined
async function firstKey(): Promise<Key> {
  return (first ??= await newKey('k1'))
}

/**
 * A team of Cloudflare Access: it has keys, signs tokens with `jose`, and answers requests for its keys and
 * for the identity behind a token. Any other request goes to the previous `fetch`.
 */
export async function accessTeam(team: string) {
  const origin = `https://${team}.cloudflareaccess.com`
  const before = globalThis.fetch
  const world = {
    team,
    aud: `aud-of-${team}`,
    keys: [await firstKey()],
    /** Replaces the team's answer. */
    fault: null as (() => Promise<Response> | Response) | null,
    /** The answer to `get-identity`. A number is the HTTP status of an error. */
    identity: { groups: [] as unknown } as object | number,
    /** The requested paths, in order. */
    asked: [] as string[],
  }
  const jwks = async () => ({
    keys: await Promise.all(
      world.keys.map(async ({ publicKey, id }) => ({
        ...(await exportJWK(publicKey)),
        kid: id,
        alg: 'RS256',
        use: 'sig',
      })),
    ),
  })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.startsWith(`${origin}/`)) return before(request)
    const { pathname } = new URL(request.url)
    world.asked.push(pathname)
    if (world.fault) return world.fault()
    if (pathname === '/cdn-cgi/access/certs') return Response.json(await jwks())
    if (!request.headers.get('cookie')?.startsWith('CF_Authorization='))
      return new Response(null, { status: 401 })
    const { identity } = world
    return typeof identity === 'number'
      ? Response.json({ err: 'no app token set' }, { status: identity })
      : Response.json(identity)
  })
  return Object.assign(world, {
    newKey,
    /** Variables of a hub that accepts this team. */
    vars: (roles: string) => ({ ACCESS_TEAM: team, ACCESS_AUD: world.aud, ACCESS_ROLES: roles }),
    /** A token as Access makes it, except for the given changes. Times are seconds from now. */
    token: (
      claims: object = {},
      {
        key = world.keys[0],
        alg = 'RS256',
        header = {},
      }: { key?: Key | undefined; alg?: string; header?: object } = {},
    ): Promise<string> => {
      if (!key) throw new Error('the team has no key')
      const now = Math.floor(Date.now() / 1000)
      const payload = {
        aud: [world.aud],
        email: 'ada@shop.nl',
        exp: now + 600,
        iat: now,
        nbf: now,
        iss: origin,
        type: 'app',
        identity_nonce: 'n',
        sub: 'ada',
        country: 'NL',
        custom: { groups: ['viewers'] },
        ...claims,
      }
      return new SignJWT(payload)
        .setProtectedHeader({ alg, kid: key.id, typ: 'JWT', ...header })
        .sign(key.privateKey)
    },
  })
}
