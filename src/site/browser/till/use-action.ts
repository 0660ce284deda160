import { useState } from 'preact/hooks'

/** Something that the hub is asked to do: whether it is under way, and what went wrong the last time. */
export function useAction(act: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await act()
    } catch (wrong) {
      setError(wrong)
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run: () => void run() }
}
