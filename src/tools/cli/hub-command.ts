import { HubError as ClientError } from '../../client/hub-error.ts'
import type { Operation } from '../../contract/operation.ts'
import { OPERATOR_OPERATIONS } from '../../contract/operator-operations.ts'
import { type AnyValues, type Args, type Command, type Values, flag, readValues } from '../program.ts'
import { UsageError } from '../usage-error.ts'
import { noHubAt } from './chosen-hub.ts'
import { type Answered, type Arguments, HubError, type Input, type Name, ask } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'
import { type QueryName, inHelp, queryFlags, queryOf } from './query-flags.ts'
import { type Lines, type View, printable, printableJson, textOf, viewOf } from './view.ts'

const COMMON = {
  json: flag('print one JSON value, and nothing else'),
  utc: flag('times in UTC, in and out; else they are of your zone'),
}

type Shown<Answer> = {
  /** A call without the command's name. By default it has the examples of the required words. */
  example?: string
  /** Prints the answer. Without it, `run` has already printed. */
  show?: (answer: Answer, view: View) => Lines
  /** Returns false for an answer that ends with exit code 1. */
  succeeds?: (answer: Answer) => boolean
  /** Returns the part of the answer that `--json` prints. */
  json?: (answer: Answer) => unknown
}

type Definition<All extends Args, Answer> = Shown<Answer> & {
  does: string
  args?: All
  /** Calls the hub. `utc`: times without a zone are in UTC. */
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
  show,
  succeeds = () => true,
  json = (answer) => answer,
}: Definition<All, Answer>): Command {
  const args = { ...COMMON, ...own }
  const askHub = async (typed: AnyValues, isJson: boolean): Promise<number> => {
    const utc = typed['utc'] === true
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are read by these arguments and those of every command
    const answer = await run((await readValues(args, typed)) as unknown as Values<All>, utc)
    const view = viewOf(process.stdout, utc)
    if (show) console.log(isJson ? printableJson(json(answer)) : textOf(show(printable(answer), view)))
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

/** A body that may have undefined members, which are not sent. */
type Sent<Body> = { [Member in keyof Body]: Body[Member] | undefined }

type Plain<Of extends Name, All extends Args> = Shown<Awaited<Answered<Of>>> & {
  /** Replaces the summary of the contract. */
  does?: string
  /** The parameters of the path, as words in their order, and flags beside those of the query. */
  args?: All
  /** The members of the query that have a flag. */
  flags?: readonly QueryName<Of>[]
  body?: (values: Values<All>) => Input<Of> extends { body?: infer Body } ? Sent<Body> : never
  /** The question at a terminal before the call. */
  asks?: (values: Values<All>) => Lines | Promise<Lines>
  /** The advice for a lost answer, because the hub may have done the work. */
  advice?: (values: Values<All>) => string
}

/** Makes a command for one operation of the operator API, by its description in the contract. */
export function operationCommand<const Of extends Name, const All extends Args>(
  operation: Of,
  { args, flags = [], body, asks, advice, ...shown }: Plain<Of, All>,
): Command {
  const { summary }: Operation = OPERATOR_OPERATIONS[operation]
  return hubCommand<Args, Awaited<Answered<Of>>>({
    does: inHelp(summary),
    ...shown,
    args: { ...args, ...queryFlags(operation, flags), ...(asks ? YES : {}) },
    run: async (typed, utc): Promise<Awaited<Answered<Of>>> => {
      const given: AnyValues = typed
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are read by these arguments
      const values = given as unknown as Values<All>
      const sent = { query: queryOf(operation, given, utc), body: body?.(values) }
      const input = { ...sent, params: await found(args ?? {}, given) }
      if (asks) await confirm(textOf(await asks(values)), given['yes'] === true)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row of the operation says what is in it
      const asking = ask(operation, ...([input] as unknown as Arguments<Of>))
      return advice ? withAdvice(asking, advice(values)) : asking
    },
  })
}

/** Returns the parameters of a path; looks up the id where an operator may give a name. */
async function found(args: Args, given: AnyValues): Promise<Record<string, string>> {
  const params: Record<string, string> = {}
  for (const [name, { find = async (text: string) => text }] of Object.entries(args)) {
    const text = given[name]
    if (typeof text === 'string') params[name] = await find(text)
  }
  return params
}

/**
 * Prints an Error's message, and with `--json` also one value on standard output. Returns the exit
 * code: 2 where the hub refused a word, else 1. Throws other values, and wrong words, which the
 * program prints.
 */
function tellError(error: unknown, isJson: boolean): number {
  if (!(error instanceof Error) || error instanceof UsageError) throw error
  const isSilent = error instanceof ClientError && error.status === null
  const message = isSilent ? noHubAt() : error.message
  const problem = error instanceof HubError && error.problem ? { problem: error.problem } : {}
  if (isJson) console.log(printableJson({ error: message, ...problem }))
  console.error(message)
  const status = error instanceof ClientError ? error.status : problem.problem?.status
  return [400, 404, 422].includes(status ?? 0) ? 2 : 1
}

/**
 * Adds advice to the error of a command whose answer was lost, because the hub may have done the
 * work.
 */
async function withAdvice<Answer>(asking: Promise<Answer>, advice: string): Promise<Answer> {
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
