import { chmodSync, mkdirSync } from 'node:fs'

/**
 * Makes the folder of a local hub's state, which has orders and addresses of customers, readable by
 * its owner alone (mode 700); also one that is there already. Throws when it is not the user's own.
 */
export function makeStateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}
