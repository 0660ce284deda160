import { describe, expect, it } from 'vitest'
import { type Answer, closedConnection, paymentRequest, patience } from './scripted.ts'
import { SAMPLES } from './samples.ts'

describe.each(Object.values(SAMPLES))('$adapter.name', (psp) => {
  const { name } = psp.adapter
  const announce = (answer: Answer) => psp.at(answer).psp.announce(paymentRequest, patience)
  const ask = (answer: Answer) => psp.at(answer).psp.ask(psp.reference, 'EUR')
  const noAnswer = { is: 'unavailable', message: expect.stringMatching(/\w/) as string }

  it.each(psp.refused.map(([answer, words]) => ({ answer, words })))(
    'refuses an order in its own words: $words',
    async ({ answer, words }) => {
      const message = `${name} refused the payment${words ? `: ${words}` : '.'}`
      expect(await announce(answer)).toMatchObject({ is: 'refused', message })
    },
  )

  it.runIf(psp.quoted)('hides the key that the PSP quotes', async () => {
    const [answer = closedConnection, words] = psp.quoted ?? []
    const message = `${name} refused the payment: ${words}`
    expect(await announce(answer)).toMatchObject({ message })
  })

  it.each(psp.nonsense)('takes nonsense as no answer, case %#', async (answer) => {
    expect(await announce(answer)).toMatchObject(noAnswer)
    expect(await ask(answer)).toMatchObject(noAnswer)
  })

  it.each(psp.unpayable)('does not announce a payment that cannot be paid, case %#', async (answer) => {
    expect(await announce(answer)).toMatchObject(noAnswer)
  })

  it.each(psp.unbelievable)('is not believed, case %#', async (answer) => {
    expect(await ask(answer)).toMatchObject(noAnswer)
  })
})
