import { describe, expect, it } from 'vitest'
import { DOING } from '../../src/console/payment-why.tsx'
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

  it.each(TABLE)('is a link wherever the sentence of the API names a command: %s', (_cause, _, make) => {
    const { state, now } = make()
    const commands = whyInWords(state, now).todos.filter(({ says }) => COMMAND.test(says))
    expect(Object.keys(DOING)).toEqual(expect.arrayContaining(commands.map(({ do: name }) => name)))
  })

  it('is told in the words of the API where they name no command', async () => {
    expect(await pageOf('nothing', 'operator')).toContain('Todo of the API')
  })

  it('leads to a page that asks nothing as any link does: the script makes dialogs of questions alone', async () => {
    const [link] = /<a [^>]*>Routes of the shop/.exec(await pageOf('route-elsewhere', 'operator')) ?? []
    expect(link).not.toContain('data-dialog')
  })

  it('is a name and no link for who may not do it', async () => {
    expect(await pageOf('ask-psp', 'operator')).toMatch(/<a [^>]*\/pull"[^>]*>Ask the PSP<\/a>\./)
    expect(await pageOf('ask-psp', 'viewer')).toContain('<b>Ask the PSP</b>')
  })
})
