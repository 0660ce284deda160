import { type Args, type Command, type Values, command, flag } from '../program.ts'
import { UsageError } from '../usage-error.ts'
import { HubError } from './operator-api.ts'
import { type View, printable, viewOf } from './view.ts'

const COMMON = {
  json: flag('print one JSON value, and nothing else'),
  utc: flag('times in UTC, in and out; else they are of your zone'),
}
type Definition<All extends Args, Answer> = {
  does: string
  /** A call as an operator types it: what follows the name of the command. */
  example?: string
  args?: All
  /** Asks the hub. `utc`: times that are written without a zone are UTC. */
  run: (values: Values<All>, utc: boolean) => Promise<Answer>
  /** The answer for people. Without it `run` has printed what there is to print. */
  show?: (answer: Answer, view: View) => string
  /** Whether the answer is a good one: the exit code is 1 if not. Always, unless given. */
  succeeds?: (answer: Answer) => boolean
  /** What `--json` prints, where that is less than the whole answer. */
  json?: (answer: Answer) => unknown
}

/**
 * Makes a command that asks the hub (`run`), and shows the answer, or prints it as one value with
 * `--json`. An Error is told the operator by its message, with exit code 1; with `--json` it is
 * that value.
 */
export function hubCommand<const All extends Args, Answer>({
  args,
  run,
  show,
  succeeds = () => true,
  json = (answer) => answer,
  ...words
}: Definition<All, Answer>): Command {
  return command<Args>({
    ...words,
    args: { ...COMMON, ...args },
    run: async (given) => {
      const [isJson, utc] = [given['json'] === true, given['utc'] === true]
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are read by these arguments and those of every command
      const values = given as Values<All>
      try {
        const answer = await run(values, utc)
        const view = viewOf(process.stdout, utc)
        if (show) console.log(isJson ? JSON.stringify(json(answer)) : show(printable(answer), view))
        return succeeds(answer) ? 0 : 1
      } catch (error) {
        return tellError(error, isJson)
      }
    },
  })
}

/**
 * Tells the operator an Error by its message, and with `--json` also as one value on standard
 * output. Returns the exit code: 2 where the hub found a word wrong, or one that names nothing.
 * Throws on what is no Error, and words that were typed wrong: the program tells those.
 */
function tellError(error: unknown, isJson: boolean): number {
  if (!(error instanceof Error) || error instanceof UsageError) throw error
  const problem = error instanceof HubError && error.problem ? { problem: error.problem } : {}
  if (isJson) console.log(JSON.stringify({ error: error.message, ...problem }))
  console.error(error.message)
  return error instanceof HubError && [400, 404, 422].includes(error.problem?.status ?? 0) ? 2 : 1
}

/**
 * A command may have worked though its answer was lost. Then its error says as well what to do
 * about it.
 */
export async function withAdvice<Answer>(asking: Promise<Answer>, advice: string): Promise<Answer> {
  try {
    return await asking
  } catch (error) {
    const isRefused = error instanceof Error && / answered 4\d\d:/.test(error.message)
    if (!(error instanceof Error) || error instanceof UsageError || isRefused) throw error
    throw new HubError(`${error.message}\n${advice}`, error instanceof HubError ? error.problem : null)
  }
}

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
