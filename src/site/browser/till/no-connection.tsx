import { useEffect, useState } from 'preact/hooks'
import type { Connection } from './connection.ts'

/** Says that the hub is gone, as long as it is: what stands below may be old. The place is there always, so that it is read out. */
export function NoConnection({ connection }: { connection: Connection }) {
  const [isGone, setGone] = useState(false)
  const [isOffline, setOffline] = useState(!navigator.onLine)
  useEffect(() => connection.onChange(setGone), [connection])
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine)
    for (const event of ['online', 'offline']) addEventListener(event, look)
    return () => {
      for (const event of ['online', 'offline']) removeEventListener(event, look)
    }
  }, [])
  return (
    <div aria-live="polite">{(isGone || isOffline) && <p class="wrong">No connection – trying again</p>}</div>
  )
}
