import { parseArgs } from 'node:util'
import { CommandError, operatorApi } from './operator-api.ts'
import { indexRebuild, indexVerify, retentionShow } from './job-index.ts'
import { jobList } from './job-list.ts'
import { jobShow } from './jobs.ts'
import { reportList, reportResend } from './reports.ts'
import { posCreate, posDisable, posList, posRekey, posResecret, posRevoke } from './pos.ts'
import { keysRotate, pspAdd, pspCheck, pspList, pspRekey, pspRemove } from './psp.ts'
import { posRoute, posRoutes } from './payment-routes.ts'
import type { Command } from './command.ts'

/** `npm run hub -- …`: the operator's commands. A command is its first two words. */
const COMMANDS: Readonly<Record<string, Command>> = {
  'pos create': posCreate,
  'pos list': posList,
  'pos disable': posDisable,
  'pos rekey': posRekey,
  'pos revoke': posRevoke,
  'pos resecret': posResecret,
  'pos route': posRoute,
  'pos routes': posRoutes,
  'psp add': pspAdd,
  'psp list': pspList,
  'psp check': pspCheck,
  'psp rekey': pspRekey,
  'psp remove': pspRemove,
  'keys rotate': keysRotate,
  'job list': jobList,
  'job show': jobShow,
  'report list': reportList,
  'report resend': reportResend,
  'index verify': indexVerify,
  'index rebuild': indexRebuild,
  'retention show': retentionShow,
}

/** What a command takes has so many columns; one that takes more has its explanation below. */
const WIDTH = 52

const usage = (): string =>
  [
    'Usage: npm run hub -- <command> [--json]',
    '',
    ...Object.values(COMMANDS).map(({ usage: line, does }) => {
      const apart = line.length > WIDTH ? `\n${' '.repeat(WIDTH + 2)}` : ''
      return `  ${line.padEnd(WIDTH)}${apart} ${does}`
    }),
    '',
    'HUB_URL and OPERATOR_TOKEN choose the hub; without them it is the local one.',
  ].join('\n')

const main = async (words: string[]): Promise<number> => {
  const name = words.slice(0, 2).join(' ')
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    const asked = words.length === 0 || words[0] === 'help' || words[0] === '--help'
    console[asked ? 'log' : 'error'](asked ? usage() : `There is no command "${name}".\n\n${usage()}`)
    return asked ? 0 : 2
  }
  try {
    const { values, positionals } = parse(command, words.slice(2))
    const { text, good } = await command.print(operatorApi(process.env), values, positionals)
    console.log(text)
    return good ? 0 : 1
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.error(error.message)
    return 1
  }
}

const parse = (command: Command, words: string[]) => {
  try {
    return parseArgs({
      args: words,
      options: { ...command.options, json: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
  } catch (error) {
    throw new CommandError(
      `${error instanceof Error ? error.message : String(error)}\nUsage: npm run hub -- ${command.usage}`,
    )
  }
}

process.exitCode = await main(process.argv.slice(2))
