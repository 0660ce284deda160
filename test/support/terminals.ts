import { vi } from 'vitest'
import { ADAPTERS } from '../../src/psp/adapters.ts'
import type { ListedTerminal, Terminals } from '../../src/psp/port.ts'
import type { Unavailable } from '../../src/psp/answer.ts'

const silent: Unavailable = { is: 'unavailable', message: 'The PSP does not answer.' }

/**
 * Makes a PSP list these terminals, in addition to what its fake does, and counts the requests. A test may
 * change `list`; with null the PSP does not answer.
 */
export function withTerminals(psp: string, list: ListedTerminal[] | null) {
  const world = { list, asked: 0 }
  const adapter = ADAPTERS[psp]
  if (!adapter) throw new Error(`no adapter ${psp}`)
  const { open } = adapter
  const say = () => Promise.resolve(silent)
  vi.spyOn(adapter, 'open').mockImplementation((connection) => {
    const terminals: Terminals = {
      announce: say,
      ask: say,
      stop: say,
      async list() {
        world.asked += 1
        return world.list === null ? silent : { is: 'listed', terminals: world.list }
      },
    }
    return { ...open(connection), terminals }
  })
  return world
}

/** Makes a PSP one without terminals that the hub can drive. */
export function withoutTerminals(psp: string): void {
  const adapter = ADAPTERS[psp]
  if (!adapter) throw new Error(`no adapter ${psp}`)
  const { open } = adapter
  vi.spyOn(adapter, 'open').mockImplementation((connection) => {
    const { terminals: _terminals, ...without } = open(connection)
    return without
  })
}
