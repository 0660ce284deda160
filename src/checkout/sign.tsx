import type { Title } from './texts.ts'

/** What is drawn for a title, on 24 units each way, and how it looks. Red is for a failure alone: who cancelled meant to. */
const SIGNS: Readonly<Record<Title, { path: string; look: 'good' | 'bad' | 'calm' | 'busy' }>> = {
  SUCCESS: { path: 'M5.5 12.5l4.5 4.5 8.5-9.5', look: 'good' },
  RETURNED: { path: 'M9 7L5 11l4 4M5 11h9a4 4 0 0 1 0 8h-3', look: 'calm' },
  PART: { path: 'M12 6v7M12 17.5v.01', look: 'bad' },
  PENDING: { path: 'M6 12v.01M12 12v.01M18 12v.01', look: 'calm' },
  OPEN: { path: 'M6 12v.01M12 12v.01M18 12v.01', look: 'calm' },
  FAILURE: { path: 'M12 6v7M12 17.5v.01', look: 'bad' },
  CANCELLED: { path: 'M7.5 7.5l9 9M16.5 7.5l-9 9', look: 'calm' },
  EXPIRED: { path: 'M12 6.5V12l3.5 2.5M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17', look: 'calm' },
  CONNECTING: { path: '', look: 'busy' },
  UNREACHABLE: { path: 'M12 6v7M12 17.5v.01', look: 'calm' },
  UNKNOWN: { path: 'M9 9.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.01', look: 'calm' },
  TOO_MANY: { path: 'M12 6.5V12l3.5 2.5M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17', look: 'calm' },
}

/** Tells at a glance what the words below it say. It is drawn: not every font has such signs. */
export function Sign({ of }: { of: Title }) {
  const { path, look } = SIGNS[of]
  return (
    <div class={`sign ${look}`} aria-hidden="true">
      {path && (
        <svg viewBox="0 0 24 24" width="28" height="28">
          <path d={path} />
        </svg>
      )}
    </div>
  )
}
