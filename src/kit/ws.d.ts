/** The package has no types of its own. Its class has the interface of browsers. */
declare module 'ws' {
  export const WebSocket: typeof globalThis.WebSocket
}
