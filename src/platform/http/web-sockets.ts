import { waitUntil } from 'cloudflare:workers'

export function openSockets(ctx: DurableObjectState, tag?: string): WebSocket[] {
  return ctx.getWebSockets(tag).filter(({ readyState }) => readyState === WebSocket.OPEN)
}

/** Sends a message. Closes a socket that cannot take it, instead of throwing. */
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
    // The socket is already closed.
  }
}

/** Closes a socket that arrives after its caller gave up, so that it does not take another's place. */
export function hangUpOnLate(asking: Promise<Response | null>): void {
  const hangUp = (response: Response | null): void => {
    response?.webSocket?.accept()
    response?.webSocket?.close(1000, '')
  }
  waitUntil(asking.then(hangUp).catch(() => {}))
}
