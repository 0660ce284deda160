import { describe, expect, it } from 'vitest'
import { LINK, TODOS } from '../../src/contract/causes.ts'
import { JOB } from './answers/world.ts'
import { get } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

describe('what to do about a payment', () => {
  const pageOf = async (todo: string, role: 'viewer' | 'operator'): Promise<string> => {
    const api = operatorApiDouble({ role, todo })
    return (await get(`/console/payments/${JOB}`, api)).text()
  }

  it.each(Object.entries(TODOS).flatMap(([todo, row]) => ('does' in row ? [todo] : [])))(
    'leads to a page of the console, and names no command: %s',
    async (todo) => {
      const html = await pageOf(todo, 'operator')
      const [, card = ''] = /data-part="why">([^]*?)<\/section>/.exec(html) ?? []
      expect(card).toMatch(/<a href="\/console\/(payments|accounts|points-of-sale)\//)
      expect(card).not.toMatch(/Todo of the API|[`{}[\]|]/)
    },
  )

  it('has a link if its sentence names a command', () => {
    const named = Object.entries(TODOS).filter(([, { says }]) => says.includes('`'))
    expect(named.filter(([, row]) => !('does' in row && LINK.test(row.says)))).toEqual([])
  })

  it("is in the API's words if it has no link", async () => {
    expect(await pageOf('nothing', 'operator')).toContain('Todo of the API')
  })

  it('opens a page without a question as a plain link: the script makes only questions dialogs', async () => {
    const [link] = /<a [^>]*>Routes of the shop/.exec(await pageOf('route-elsewhere', 'operator')) ?? []
    expect(link).not.toContain('data-dialog')
  })

  it('is a name instead of a link for an operator who may not do it', async () => {
    expect(await pageOf('ask-psp', 'operator')).toMatch(/<a [^>]*\/pullJob"[^>]*>Ask the PSP<\/a> now\./)
    expect(await pageOf('ask-psp', 'viewer')).toContain('<b>Ask the PSP</b>')
  })
})
