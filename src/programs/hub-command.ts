import { HubError as ClientError } from '../client/hub-error.ts'
import { noHubAt, HubError } from './chosen-hub.ts'
import { type AnyValues, type Args, type Command, type Values, flag, readValues } from './program.ts'
import { UsageError } from './usage-error.ts'
import { type Lines, type View, printable, printableJson, printableText, textOf, viewOf } from './view.ts'

const COMMON = {
  json: flag('print one JSON value, and nothing else'),
  utc: flag('times in UTC, in and out; otherwise in your zone'),
}

export type Shown<Answer> = {
  /** A call without the command's name. By default it has the examples of the required words. */
  example?: string
  /** Shows the answer; by default each member with its name. */
  show?: (answer: Answer, view: View) => Lines
  /** Returns false for an answer that ends with exit code 1. */
  succeeds?: (answer: Answer) => boolean
  /** Returns the part of the answer that `--json` prints. */
  json?: (answer: Answer) => unknown
}

type Definition<All extends Args, Answer> = Shown<Answer> & {
  does: string
  args?: All
  /** Calls the hub. `utc`: times without a zone are in UTC. Returns undefined if it has printed itself. */
  run: (values: Values<All> & { readonly json?: boolean }, utc: boolean) => Promise<Answer>
}

/**
 * Makes a command that calls the hub (`run`) and shows the answer, or with `--json` prints it as
 * one value. It prints an Error's message and exits with 1; with `--json`, the value is the error.
 */
export function hubCommand<const All extends Args, Answer>({
  does,
  args: own,
  example = exampleOf(own),
  run,
  show = (answer, view) => view.answer(answer),
  succeeds = () => true,
  json = (answer) => answer,
}: Definition<All, Answer>): Command {
  const args = { ...COMMON, ...own }
  const askHub = async (typed: AnyValues, isJson: boolean): Promise<number> => {
    const utc = typed['utc'] === true
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are read by these arguments and those of every command
    const answer = await run((await readValues(args, typed)) as unknown as Values<All>, utc)
    const view = viewOf(process.stdout, utc)
    if (answer !== undefined)
      console.log(isJson ? printableJson(json(answer)) : textOf(show(printable(answer), view)))
    return succeeds(answer) ? 0 : 1
  }
  return {
    name: '',
    does,
    example,
    args,
    commands: {},
    run: async (typed) => {
      const isJson = typed['json'] === true
      return askHub(typed, isJson).catch((error: unknown) => tellError(error, isJson))
    },
  }
}

function exampleOf(args: Args = {}): string {
  return Object.values(args)
    .flatMap(({ required, example }) => (required && example ? [example] : []))
    .join(' ')
}

/**
 * Prints an Error's message, and with `--json` also one value on standard output. Returns the exit
 * code: 2 if the hub refused a word, else 1. Throws other values, and wrong words, which the
 * program prints.
 */
function tellError(error: unknown, isJson: boolean): number {
  if (!(error instanceof Error) || error instanceof UsageError) throw error
  const isSilent = error instanceof ClientError && error.status === null
  // The client's message has the hub's words, which must not look like lines of their own.
  const said = error instanceof ClientError ? printableText(error.message) : error.message
  const message = isSilent ? noHubAt(error) : said
  const problem = error instanceof HubError && error.problem ? { problem: error.problem } : {}
  if (isJson) console.log(printableJson({ error: message, ...problem }))
  console.error(message)
  const status = error instanceof ClientError ? error.status : problem.problem?.status
  return [400, 404, 422].includes(status ?? 0) ? 2 : 1
}

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
