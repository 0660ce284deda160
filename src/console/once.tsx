import { type Once, endedOnce } from './once-cookie.ts'
import type { View, Visit } from './visit.ts'

/** What was just made and is shown this once, each with a button that copies it. */
export function ShownOnce({ once }: { once: Once | null }) {
  return (
    once && (
      <section class="card once" aria-labelledby="once">
        <h2 id="once">Copy this now</h2>
        <p>It is shown this once: no reload has it.</p>
        {Object.entries(once).map(([name, text]) => (
          <p key={name} class="secret">
            <span>{name}</span>
            <code data-copied>{text}</code>
            <button type="button" class="small" data-copy hidden>
              Copy
            </button>
          </p>
        ))}
      </section>
    )
  )
}

/** The headers of the page that shows it: from now on it is gone. */
export function onceHeaders({ url }: Visit, once: Once | null): NonNullable<View['headers']> {
  return once === null ? {} : { 'set-cookie': endedOnce(url) }
}
