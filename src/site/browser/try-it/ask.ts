/** A request to the hub and its answer, as they are shown. `body` is parsed where it is JSON. */
export type Exchange = {
  request: string
  status: number
  statusText: string
  headers: string[]
  text: string
  body: unknown
}

/** Headers that tell a developer something. */
const SHOWN = ['x-request-id', 'x-signature', 'retry-after', 'location', 'content-type']

const DEADLINE = 20_000

/** Asks this hub. Throws where there is no answer within 20 s. The secret is not in what is shown. */
export async function ask(method: string, path: string, bearer: string, sent?: string): Promise<Exchange> {
  const own: Record<string, string> =
    sent === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
  const response = await fetch(path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...own },
    signal: AbortSignal.timeout(DEADLINE),
    ...(sent === undefined ? {} : { body: sent }),
  })
  const text = await response.text()
  const lines = Object.entries({ authorization: 'Bearer …', ...own }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return {
    request: [`${method} ${path}`, ...lines, ...(sent === undefined ? [] : ['', sent])].join('\n'),
    status: response.status,
    statusText: response.statusText,
    headers: SHOWN.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [`${name}: ${value}`]
    }),
    text,
    body: parse(text),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
