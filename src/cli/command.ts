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
  /** What `--json` prints, where that is less than the whole answer. */
  json?: (answer: v.InferOutput<Answer>) => unknown
}

/** One command of the CLI: what it takes, and what it prints once it has run. */
export type Command = Pick<Definition<v.GenericSchema>, 'usage' | 'does' | 'options'> & {
  print: (api: OperatorApi, values: Values, positionals: readonly string[]) => Promise<string>
}

/** Makes a command: it asks the hub (`run`), reads the `answer`, and shows it, or with `--json` prints it as one value. */
export const command = <Answer extends v.GenericSchema>(definition: Definition<Answer>): Command => ({
  ...definition,
  print: async (api, values, positionals) => {
    const answer = v.parse(definition.answer, await definition.run(api, values, positionals))
    if (!values['json']) return definition.show(answer)
    return JSON.stringify(definition.json ? definition.json(answer) : answer)
  },
})
