/** How long (ms) the hub may be gone before the till says so. */
const PATIENCE = 3000

/** Whether the hub answers what the till asks: its stream, and all other calls. */
export type Connection = {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Tells whether the hub is gone, now and at each change. Gives a function that ends it. */
  onChange: (tell: (isGone: boolean) => void) => () => void
}

/** A proxy's answer for a hub that is gone (RFC 9110, 15.6.3 to 15.6.5): the hub's have an id. */
function isOfNobody({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.has('x-request-id')
}

/** Does requests, and notes how the connection is by what becomes of them. */
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
        // Who stops a call does not learn of the connection.
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
