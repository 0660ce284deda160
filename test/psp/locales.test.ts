import { describe, expect, it } from 'vitest'
import { SAMPLES } from './samples.ts'

describe.each(Object.values(SAMPLES))('$adapter.name', ({ announced, locales: { as, shown, none } }) => {
  it.each(shown.split(' ').map((pair) => pair.split(':') as [string, string]))(
    'shows a customer with the language %s the page in %s',
    async (language, locale) => {
      expect(await announced({ language })).toHaveProperty(as, locale)
    },
  )

  it.each([...none.split(' '), ''])('gets no locale for %j', async (language) => {
    expect(await announced({ language })).not.toHaveProperty(as)
  })
})
