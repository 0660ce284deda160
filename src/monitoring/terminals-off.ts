import { readConfig } from '../platform/config.ts'
import { localOf } from '../platform/pages/zoned-time.ts'
import { listedTerminals } from '../psp/listed-terminals.ts'
import { accountById } from '../registry/accounts.ts'
import { type AddedTerminal, addedTerminals } from '../registry/terminals.ts'
import type { Trouble } from './alert-rules.ts'

/** Returns whether a time of day (`14:02`) lies within hours (`09:00-18:00`), which may span midnight. */
function isWithin(hours: string, time: string): boolean {
  const [from = '', to = ''] = hours.split('-')
  return from <= to ? from <= time && time < to : from <= time || time < to
}

/** Returns the terminals that are off in their alert hours. Asks only the accounts of such terminals. */
export async function terminalsOff(env: Env, now: number): Promise<Trouble[]> {
  const time = localOf(now, readConfig(env).timeZone).slice(-5)
  const added = await addedTerminals(env.DB)
  const watched = added.filter(({ alertHours }) => alertHours !== null && isWithin(alertHours, time))
  const troubles = Array.from(
    Map.groupBy(watched, ({ account }) => account),
    async ([id, terminals]) => {
      const account = await accountById(env.DB, id)
      const answer = account && (await listedTerminals(env, account, ''))
      if (answer?.is !== 'listed') return []
      const off = new Set(answer.terminals.flatMap((one) => (one.isOn === false ? [one.id] : [])))
      return terminals.filter((one) => off.has(one.id)).map(terminalTrouble)
    },
  )
  return (await Promise.all(troubles)).flat()
}

function terminalTrouble({ id, name, account, alertHours }: AddedTerminal): Trouble {
  const detail = `Terminal ${name} (${id}) is off, but should be on ${alertHours}: hub terminal list ${account}`
  return { kind: 'terminal-off', subject: id, detail }
}
