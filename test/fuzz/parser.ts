import type * as fc from 'fast-check'

/**
 * A reader of outsiders' input, and what must always be true of it: otherwise `holds` throws. Inputs are
 * JSON, so that failed ones are kept in `corpus/`, under the parser's name.
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
