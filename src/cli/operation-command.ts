import type { Operation } from '../contract/operation.ts'
import { OPERATOR_OPERATIONS } from '../contract/operator-operations.ts'
import { HubError } from '../programs/chosen-hub.ts'
import { type Shown, hubCommand } from '../programs/hub-command.ts'
import type { AnyValues, Args, Command, Values } from '../programs/program.ts'
import { YES, confirm } from '../programs/prompt.ts'
import { UsageError } from '../programs/usage-error.ts'
import { type Lines, textOf } from '../programs/view.ts'
import { type Answered, type Arguments, type Input, type Name, ask } from './operator-api.ts'
import { type QueryName, inHelp, queryFlags, queryOf } from './query-flags.ts'

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
