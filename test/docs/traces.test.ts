import { expect, it } from 'vitest'
import { read } from './documents.ts'

// The spans of a platform trace have `url.full` with its query, and no setting of this wrangler removes it.
it('no traces are made unless an operator switches them on, and the documents say so', () => {
  const [, section = ''] = /\n\[observability\.traces\]\n([^[]*)/.exec(read('wrangler.toml')) ?? []
  expect(section).toMatch(/^enabled = false$/m)
  expect(read('docs/operating')).toContain('Workers traces, which are off')
  expect(read('SECURITY.md')).toContain('Platform traces are off')
})
