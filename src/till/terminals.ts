import { useEffect, useState } from 'preact/hooks'
import type { Terminal } from '../contract/terminals.ts'
import type { Session } from './session.ts'
import { say, tag } from './speech.ts'

/** How often (ms) an order form checks which terminals are on and free. */
const LOOK_EVERY = 30_000

/** Returns the terminals of the till, the default first, and keeps them fresh while shown. */
export function useTerminals(session: Session): readonly Terminal[] {
  const [terminals, setTerminals] = useState(session.terminals)
  useEffect(() => {
    const stop = new AbortController()
    const look = async (): Promise<void> => {
      if (document.hidden) return
      // Without an answer the known terminals stay.
      const found = await session.hub.listTerminals({ signal: stop.signal }).catch(() => null)
      if (!found || stop.signal.aborted) return
      session.terminals = found
      setTerminals(found)
    }
    const onShow = (): void => void look()
    onShow()
    const timer = setInterval(onShow, LOOK_EVERY)
    document.addEventListener('visibilitychange', onShow)
    return () => {
      stop.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onShow)
    }
  }, [session])
  return sorted(terminals)
}

/** Sorts terminals as a till offers them: the default first, then by name. */
export function sorted(terminals: readonly Terminal[]): readonly Terminal[] {
  return terminals.toSorted(
    (one, other) =>
      Number(other.isDefault) - Number(one.isDefault) || one.name.localeCompare(other.name, tag),
  )
}

/**
 * Returns the terminal to begin with: the one that this device used last, or else the first free one.
 * Avoids the one that was just busy or off if there is another.
 */
export function terminalToUse(
  terminals: readonly Terminal[],
  { last, avoid }: { last?: string | undefined; avoid?: string | undefined },
): string {
  const others = terminals.filter(({ id }) => id !== avoid)
  const chosen =
    others.find(({ id }) => id === last) ?? others.find((one) => isFree(one)) ?? others[0] ?? terminals[0]
  return chosen?.id ?? ''
}

function isFree({ isOn, busyWith }: Terminal): boolean {
  return isOn !== false && busyWith === null
}

/** Names a terminal for a list, and says whether it is off or busy. */
export function namedTerminal({ name, isOn, busyWith }: Terminal): string {
  if (isOn === false) return `${name} – ${say('off')}`
  return busyWith === null ? name : `${name} – ${say('occupied')}`
}
