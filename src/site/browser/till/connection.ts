/** How long (ms) the hub may be unreachable before the till says so. */
const PATIENCE = 3000

/** The till's connection: all its calls and its stream go through `fetch`. */
export type Connection = {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Calls `tell` now and at each change. Returns a function that ends it. */
  onChange: (tell: (isGone: boolean) => void) => () => void
}

/**
 * Tells whether a proxy answered for an unreachable hub (RFC 9110, 15.6.3 to 15.6.5): without an
 * id.
 */
function isOfNobody({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.has('x-request-id')
}

/** Sends requests, and learns from their outcome whether the hub is reachable. */
export function newConnection(fetcher: Connection['fetch'] = (url, init) => fetch(url, init)): Connection {
  const listeners = new Set<(isGone: boolean) => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  const become = (gone: boolean): void => {
    if (gone === isGone) return
    isGone = gone
    for (const tell of listeners) tell(gone)
  }
  const failed = (): void => {
    timer ??= setTimeout(() => become(true), PATIENCE)
  }
  const answered = (): void => {
    clearTimeout(timer)
    timer = undefined
    become(false)
  }
  return {
    fetch: async (url, init) => {
      try {
        const response = await fetcher(url, init)
        if (isOfNobody(response)) failed()
        else answered()
        return response
      } catch (error) {
        // An aborted call says nothing about the connection.
        if (!init.signal?.aborted) failed()
        throw error
      }
    },
    onChange: (tell) => {
      listeners.add(tell)
      tell(isGone)
      return () => void listeners.delete(tell)
    },
  }
}
