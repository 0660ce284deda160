import * as v from 'valibot'
import type { OperatorApi } from './operator-api.ts'

export type Values = Readonly<Record<string, string | boolean | undefined>>

type Definition<Answer extends v.GenericSchema> = {
  usage: string
  does: string
  options: Record<string, { type: 'string' | 'boolean' }>
  answer: Answer
  run: (api: OperatorApi, values: Values, positionals: readonly string[]) => Promise<unknown>
  show: (answer: v.InferOutput<Answer>) => string
  /** Whether the answer is a good one: the exit code says so. Always, unless given. */
  succeeds?: (answer: v.InferOutput<Answer>) => boolean
  /** What `--json` prints, where that is less than the whole answer. */
  json?: (answer: v.InferOutput<Answer>) => unknown
}

/** What a command prints, and whether it went well. */
type Printed = { text: string; good: boolean }

/** One command of the CLI: what it takes, and what it prints once it has run. */
export type Command = Pick<Definition<v.GenericSchema>, 'usage' | 'does' | 'options'> & {
  print: (api: OperatorApi, values: Values, positionals: readonly string[]) => Promise<Printed>
}

/** Makes a command: it asks the hub (`run`), reads the `answer`, and shows it, or with `--json` prints it as one value. */
export const command = <Answer extends v.GenericSchema>(definition: Definition<Answer>): Command => ({
  ...definition,
  print: async (api, values, positionals) => {
    const answer = v.parse(definition.answer, await definition.run(api, values, positionals))
    const value: unknown = definition.json ? definition.json(answer) : answer
    return {
      text: values['json'] ? JSON.stringify(value) : definition.show(answer),
      good: definition.succeeds?.(answer) ?? true,
    }
  },
})
