import type * as fc from 'fast-check'

/**
 * A reader of what outsiders send, and what is true of it whatever they send. `holds` throws where
 * it is not. Inputs are JSON, so that those which once failed are kept in `corpus/`, under the name
 * of the parser.
 */
export type Parser = {
  readonly name: string
  readonly inputs: fc.Arbitrary<unknown>
  readonly holds: (input: unknown) => void | Promise<void>
}

export function parser<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  holds: (input: Input) => void | Promise<void>,
): Parser {
  return { name, inputs, holds: (input) => holds(input as Input) }
}
