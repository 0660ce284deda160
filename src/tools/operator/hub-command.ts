import { type ArgsDef, parseArgs } from 'citty'
import type { Command, Values } from '../command.ts'
import { confirm } from './confirm.ts'
import { type OperatorApi, operatorApi } from './operator-api.ts'
import { tellError } from './tell-error.ts'
import { type View, printable, viewOf } from './view.ts'

const COMMON = {
  json: { type: 'boolean', description: 'print one JSON value, and nothing else' },
  utc: { type: 'boolean', description: 'times in UTC, in and out; else they are of your zone' },
} as const
const YES = { yes: { type: 'boolean', description: 'do not ask at the terminal' } } as const

type Definition<Args extends ArgsDef, Answer> = {
  /** The words that choose it: "pos create". */
  name: string
  does: string
  /** The words of a call as an operator types it. */
  example: string
  args: Args
  repeats?: boolean
  /** What is asked at the terminal before something that cannot be undone, unless with `--yes`. */
  asks?: (values: Values<Args>) => string
  /** `utc`: times that are written without a zone are UTC. */
  run: (api: OperatorApi, values: Values<Args>, utc: boolean) => Promise<Answer>
  show: (answer: Answer, view: View) => string
  /** Whether the answer is a good one: the exit code is 1 if not. Always, unless given. */
  succeeds?: (answer: Answer) => boolean
  /** What `--json` prints, where that is less than the whole answer. */
  json?: (answer: Answer) => unknown
}

/**
 * Makes a command that asks the hub (`run`), and shows the answer, or prints it as one value with `--json`. An Error is
 * told the operator by its message, with exit code 1; with `--json` it is that value.
 */
export function hubCommand<const Args extends ArgsDef, Answer>({
  name,
  does,
  example,
  repeats = false,
  asks,
  run,
  show,
  succeeds = () => true,
  json = (answer) => answer,
  ...definition
}: Definition<Args, Answer>): Command {
  const args = { ...definition.args, ...(asks ? YES : {}), ...COMMON }
  return {
    name: `npx hub ${name}`,
    does,
    example: `npx hub ${example}`,
    args,
    repeats,
    commands: {},
    run: async (words) => {
      const values = parseArgs<Args>(words, args)
      const [isJson, utc] = [values['json'] === true, values['utc'] === true]
      try {
        if (asks && values['yes'] !== true) await confirm(asks(values))
        const answer = await run(operatorApi(process.env), values, utc)
        const view = viewOf(process.stdout, utc)
        console.log(isJson ? JSON.stringify(json(answer)) : show(printable(answer), view))
        return succeeds(answer) ? 0 : 1
      } catch (error) {
        return tellError(error, isJson)
      }
    },
  }
}
