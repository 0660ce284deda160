import { renderToString } from 'preact-render-to-string'

const ORDER = `{
  "timestamp": TIMESTAMP,
  "currency": "EUR",
  "amount": "12.50",
  "return_url": "https://shop.example.com/thanks",
  "report_url": "https://shop.example.com/report",
  "payment_method": "ideal",
  "order_id": "1001",
  "order_number": "A-1001",
  "language": "en",
  "ip_address": "203.0.113.7"
}`

/** The panel of the guide that plays its steps with a test key. The script `try-it` shows it: without script it cannot work. */
export function tryIt(): string {
  return renderToString(
    <>
      <noscript>
        <p class="soft">This part needs JavaScript. The samples above do the same without.</p>
      </noscript>
      <div class="try" hidden>
        <form data-part="form" autocomplete="off">
          <label class="field">
            API key of a point of sale in test mode
            <input data-part="key" type="password" autocomplete="off" spellcheck={false} required />
          </label>
          <p class="soft">
            The key stays in this tab and goes to this hub only. A live key is refused. Closing the page
            forgets it.
          </p>
          <label class="field">
            The order
            <textarea data-part="order" rows={12} spellcheck={false}>
              {ORDER}
            </textarea>
          </label>
          <p class="buttons">
            <button type="button" class="first" data-part="token">
              1. Get a token
            </button>{' '}
            <button type="button" data-part="create" disabled>
              2. Create the job
            </button>{' '}
            <button type="button" data-part="read" disabled>
              3. Read the job
            </button>
          </p>
        </form>
        <div data-part="answers" aria-live="polite" />
      </div>
    </>,
  )
}
