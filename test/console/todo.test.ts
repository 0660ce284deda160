import { describe, expect, it } from 'vitest'
import { DOING } from '../../src/console/pages/payment-why.tsx'
import { whyInWords } from '../../src/operator-api/why-words.ts'
import { TABLE } from '../support/why-jobs.ts'
import { JOB } from './answers/world.ts'
import { get } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

const COMMAND = /\b(job|psp|pos|report) (pull|announce|capture|release|refund|check|rekey|route|resend)\b/

describe('what to do about a payment', () => {
  const pageOf = async (todo: string, role: 'viewer' | 'operator'): Promise<string> => {
    const api = operatorApiDouble({ role, todo })
    return (await get(`/console/payments/${JOB}`, api)).text()
  }

  it.each(Object.keys(DOING).filter((todo) => todo !== 'let-pay' && todo !== 'mend-receiver'))(
    'leads to a page of the console, and names no command: %s',
    async (todo) => {
      const html = await pageOf(todo, 'operator')
      const [, card = ''] = /data-part="why">([^]*?)<\/section>/.exec(html) ?? []
      expect(card).toMatch(/<a href="\/console\/(payments|accounts|points-of-sale)\//)
      expect(card).not.toContain('Todo of the API')
    },
  )

  it.each(TABLE)("is a link wherever the API's sentence names a command: %s", (_cause, _, make) => {
    const { state, now } = make()
    const commands = whyInWords(state, now).todos.filter(({ says }) => COMMAND.test(says))
    expect(Object.keys(DOING)).toEqual(expect.arrayContaining(commands.map(({ do: name }) => name)))
  })

  it("is in the API's words if they name no command", async () => {
    expect(await pageOf('nothing', 'operator')).toContain('Todo of the API')
  })

  it('opens a page without a question as a plain link: the script makes only questions dialogs', async () => {
    const [link] = /<a [^>]*>Routes of the shop/.exec(await pageOf('route-elsewhere', 'operator')) ?? []
    expect(link).not.toContain('data-dialog')
  })

  it('is a name instead of a link for an operator who may not do it', async () => {
    expect(await pageOf('ask-psp', 'operator')).toMatch(/<a [^>]*\/pullJob"[^>]*>Ask the PSP<\/a>\./)
    expect(await pageOf('ask-psp', 'viewer')).toContain('<b>Ask the PSP</b>')
  })
})
