import { waitUntil } from 'cloudflare:workers'

export function openSockets(ctx: DurableObjectState, tag?: string): WebSocket[] {
  return ctx.getWebSockets(tag).filter(({ readyState }) => readyState === WebSocket.OPEN)
}

/** Sends what a socket can take: one that has gone holds nobody up. */
export function sendTo(socket: WebSocket, message: string | ArrayBuffer): void {
  try {
    socket.send(message)
  } catch {
    closeSocket(socket, 1011)
  }
}

export function closeSocket(socket: WebSocket, code: number, reason = ''): void {
  try {
    socket.close(code, reason)
  } catch {
    // It is closed.
  }
}

/** Hangs up on a socket that comes after nobody waits for it: it must take no other's place. */
export function hangUpOnLate(asking: Promise<Response | null>): void {
  const hangUp = (response: Response | null): void => {
    response?.webSocket?.accept()
    response?.webSocket?.close(1000, '')
  }
  waitUntil(asking.then(hangUp).catch(() => {}))
}
