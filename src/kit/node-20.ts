import { WebSocket } from 'ws'

/**
 * Adds what the kit's programs use and Node 20 lacks. Once the kit asks for Node 22, delete this file, and the
 * package `ws`.
 */
export function addToNode20(): void {
  addMissing(globalThis, { WebSocket })
  addMissing(URL, {
    parse: (text: string, base?: string) => (URL.canParse(text, base) ? new URL(text, base) : null),
  })
  addMissing(Promise, {
    withResolvers: () => {
      const made = {}
      const promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
      return Object.assign(made, { promise })
    },
  })
}

function addMissing(to: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members)) {
    if (!(name in to)) Object.defineProperty(to, name, { value })
  }
}
