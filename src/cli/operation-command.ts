import type { Operation, ParamsOf } from '../contract/operation.ts'
import {
  type AnswerOf,
  type Arguments,
  type Name,
  OPERATOR_OPERATIONS,
  type OperatorOperations,
} from '../contract/operator-operations.ts'
import { HubError } from '../programs/chosen-hub.ts'
import { type Shown, hubCommand } from '../programs/hub-command.ts'
import type { AnyValues, Args, Command } from '../programs/program.ts'
import { YES, confirm } from '../programs/prompt.ts'
import { UsageError } from '../programs/usage-error.ts'
import { type Lines, textOf } from '../programs/view.ts'
import { type BodyName, type Differing, bodyFlags, bodyOf } from './body-flags.ts'
import { wordsOf } from './named.ts'
import { ask } from './operator-api.ts'
import { type QueryName, inHelp, membersBut, queryFlags, queryOf } from './query-flags.ts'

/** The words that an operator typed for the parameters of the path, and the members of the body. */
type Typed<Of extends Name> = ParamsOf<OperatorOperations[Of]['path']> & {
  readonly [Member in BodyName<Of>]: unknown
}

type Plain<Of extends Name> = Shown<Awaited<AnswerOf<Of>>> & {
  /** Replaces the summary of the contract. */
  does?: string
  /** Words for parameters of the path, if they are not the usual ones. */
  words?: Args
  /** The members of the query that have a flag: all, if not given. */
  flags?: readonly QueryName<Of>[]
  /** How flags of the body differ from the contract. */
  body?: { readonly [Member in BodyName<Of>]?: Differing }
  /** The question at a terminal before the call, if it is not that of a final operation. */
  asks?: (typed: Typed<Of>) => Lines | Promise<Lines>
  /** The advice for a lost answer, because the hub may have done the work. */
  advice?: (typed: Typed<Of>) => string
}

/** Makes a command for one operation of the operator API: its words and flags come from the contract. */
export function operationCommand<const Of extends Name>(
  operation: Of,
  { words, flags = membersBut(operation, []), body: table = {}, asks, advice, ...shown }: Plain<Of> = {},
): Command {
  const { summary, description, path, isFinal }: Operation = OPERATOR_OPERATIONS[operation]
  const params = { ...wordsOf(path), ...words }
  return hubCommand<Args, Awaited<AnswerOf<Of>>>({
    does: inHelp(summary),
    ...shown,
    args: {
      ...params,
      ...bodyFlags(operation, table),
      ...queryFlags(operation, flags),
      ...(asks || isFinal ? YES : {}),
    },
    run: async (given: AnyValues, utc): Promise<Awaited<AnswerOf<Of>>> => {
      const body = bodyOf(operation, table, given)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the path and the body have these members
      const typed = { ...given, ...body } as unknown as Typed<Of>
      const input = { query: queryOf(operation, given, utc), body, params: await found(params, given) }
      const named = Object.keys(params).map((name) => given[name])
      const question = asks ? await asks(typed) : isFinal && `${summary}: ${named.join(' ')}? ${description}`
      if (question) await confirm(textOf(question), given['yes'] === true)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row of the operation says what is in it
      const asking = ask(operation, ...([input] as unknown as Arguments<Of>))
      return advice ? withAdvice(asking, advice(typed)) : asking
    },
  })
}

/** Returns the parameters of a path. Looks up the id if an operator may give a name. */
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
