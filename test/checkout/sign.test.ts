import { renderToString } from 'preact-render-to-string'
import { expect, it } from 'vitest'
import { Sign } from '../../src/checkout/job-page.tsx'

it('a title has one sign that is drawn, and no text that a customer could read', () => {
  expect(renderToString(Sign({ of: 'CANCELLED' }))).toBe(
    '<div class="sign calm" aria-hidden="true"><svg viewBox="0 0 24 24" width="28" height="28">' +
      '<path d="M7.5 7.5l9 9M16.5 7.5l-9 9"></path></svg></div>',
  )
})

it('what is under way has no drawing: its sign turns', () => {
  expect(renderToString(Sign({ of: 'CONNECTING' }))).toBe('<div class="sign busy" aria-hidden="true"></div>')
})
