import { describe, expect, it } from 'vitest'
import { TODOS } from '../../src/console/payment-why.tsx'
import { JOB } from './answers/world.ts'
import { get } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

describe('what to do about a payment', () => {
  const pageOf = async (cause: string, role: 'viewer' | 'operator'): Promise<string> => {
    const api = operatorApiDouble({ role, cause })
    return (await get(`/console/payments/${JOB}`, api)).text()
  }

  it.each(Object.keys(TODOS))('leads to a page of the console, and names no command: %s', async (cause) => {
    const html = await pageOf(cause, 'operator')
    const [, card = ''] = /data-part="why">([^]*?)<\/section>/.exec(html) ?? []
    expect(card).toMatch(/<a href="\/console\/(payments|accounts|points-of-sale)\//)
    expect(card).not.toContain('Todo of the API')
  })

  it('is told in the words of the API where they name no command', async () => {
    expect(await pageOf('paid', 'operator')).toContain('Todo of the API')
  })

  it('is a name and no link for who may not do it', async () => {
    expect(await pageOf('psp-silent-at-pulls', 'operator')).toMatch(
      /<a [^>]*\/pull"[^>]*>Ask the PSP<\/a>\. Nobody/,
    )
    expect(await pageOf('psp-silent-at-pulls', 'viewer')).toContain('<b>Ask the PSP</b>')
  })
})
