import { type ArgsDef, parseArgs } from 'citty'
import type { Command, Values } from '../command.ts'
import { UsageError } from '../usage-error.ts'
import { type OperatorApi, operatorApi } from './operator-api.ts'

const JSON_FLAG = {
  json: { type: 'boolean', description: 'print one JSON value, and nothing else' },
} as const

type Definition<Args extends ArgsDef, Answer> = {
  /** The words that choose it: "pos create". */
  name: string
  does: string
  /** The words of a call as an operator types it. */
  example: string
  args: Args
  repeats?: boolean
  run: (api: OperatorApi, values: Values<Args>) => Promise<Answer>
  show: (answer: Answer, values: Values<Args>) => string
  /** Whether the answer is a good one: the exit code is 1 if not. Always, unless given. */
  succeeds?: (answer: Answer) => boolean
  /** What `--json` prints, where that is less than the whole answer. */
  json?: (answer: Answer) => unknown
}

/**
 * Makes a command that asks the hub (`run`), and shows the answer, or prints it as one value with `--json`. An Error is
 * told the operator by its message, with exit code 1.
 */
export const hubCommand = <const Args extends ArgsDef, Answer>({
  name,
  does,
  example,
  repeats = false,
  run,
  show,
  succeeds = () => true,
  json = (answer) => answer,
  ...definition
}: Definition<Args, Answer>): Command => {
  const args = { ...definition.args, ...JSON_FLAG }
  return {
    name: `npx hub ${name}`,
    does,
    example: `npx hub ${example}`,
    args,
    repeats,
    commands: {},
    run: async (words) => {
      const values = parseArgs<Args>(words, args)
      try {
        const answer = await run(operatorApi(process.env), values)
        console.log(values['json'] === true ? JSON.stringify(json(answer)) : show(answer, values))
        return succeeds(answer) ? 0 : 1
      } catch (error) {
        if (error instanceof UsageError || !(error instanceof Error)) throw error
        console.error(error.message)
        return 1
      }
    },
  }
}
