import { expect, it } from 'vitest'
import examples from '../../src/tools/site/openapi/examples.json' with { type: 'json' }
import { OPERATIONS } from '../../src/tools/site/openapi/operations.ts'
import { answerValidator, requestValidator } from './compile.ts'

const [answers, requests] = [answerValidator(), requestValidator()]
const recorded: Readonly<Record<string, { request?: unknown; answer?: unknown } | undefined>> = examples

/** A file and a stream have none: the document says in words what is in it. */
const WITH_EXAMPLES = OPERATIONS.filter(({ answer }) => answer.schema !== undefined)

it.each(WITH_EXAMPLES)(
  'the example of $id fits its schemas: else npm run record:examples',
  ({ id, body, answer }) => {
    const example = recorded[id]
    expect(answers(answer.schema ?? '', example?.answer)).toBeNull()
    if (body) expect(requests(body.schema, example?.request)).toBeNull()
  },
)

it('no example is of an operation that is not there', () => {
  expect(Object.keys(recorded).toSorted()).toEqual(WITH_EXAMPLES.map(({ id }) => id).toSorted())
})
