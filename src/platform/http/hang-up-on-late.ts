import { waitUntil } from 'cloudflare:workers'

/**
 * Lets go of a socket that comes after all, once nobody waits for it: it takes no other's place. The answer to a request does not end
 * the wait for it.
 */
export function hangUpOnLate(asking: Promise<Response | null>): void {
  const hangUp = (response: Response | null): void => {
    response?.webSocket?.accept()
    response?.webSocket?.close(1000, '')
  }
  waitUntil(asking.then(hangUp).catch(() => {}))
}
