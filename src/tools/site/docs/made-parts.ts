import { PROBLEMS, type ProblemCode } from '../../../platform/http/problem-codes.ts'
import { PROBLEM_HELP } from '../../../platform/http/problem-help.ts'
import { PAYMENT_METHODS } from '../../../contract/payment-methods.ts'
import { METHODS as ADYEN } from '../../../psp/adyen/tables.ts'
import { METHODS as MOLLIE, UNSUPPORTED as MOLLIE_UNSUPPORTED } from '../../../psp/mollie/tables.ts'
import { METHODS as MULTISAFEPAY } from '../../../psp/multisafepay/tables.ts'
import { METHODS as STRIPE } from '../../../psp/stripe/tables.ts'
import { table } from './fields.ts'

/** Parts of documents that the code gives, in Markdown. `<!-- made: NAME -->` in a document is where one goes. */
const PARTS: Readonly<Record<string, () => string>> = {
  'payment-methods': methodsTable,
  problems: problemParagraphs,
}

/** Fills in the parts of a document that the code gives. Throws when nothing has the name. */
export function withMadeParts(source: string): string {
  return source.replaceAll(/<!-- made: ([\w-]+) -->/g, (_, name: string) => {
    const make = PARTS[name]
    if (!make) throw new Error(`no part of a document is called ${name}`)
    return make()
  })
}

type Methods = ReadonlyMap<string, string | readonly string[]>

const PSPS: readonly (readonly [
  name: string,
  methods: Methods,
  unsupported?: ReadonlyMap<string, string>,
])[] = [
  ['Adyen', ADYEN],
  ['Mollie', MOLLIE, MOLLIE_UNSUPPORTED],
  ['MultiSafepay', MULTISAFEPAY],
  ['Stripe', STRIPE],
]

/** Each name of a payment method, and what it goes by at each PSP; common names first. */
function methodsTable(): string {
  const known = new Set([
    ...PAYMENT_METHODS,
    ...PSPS.flatMap(([, methods]) => [...methods.keys()]).toSorted(),
  ])
  const cellOf = (name: string, [, methods, unsupported]: (typeof PSPS)[number]): string => {
    if (unsupported?.has(name)) return 'refused'
    const types = [methods.get(name) ?? []].flat()
    return types.length === 0 ? '–' : types.map((type) => `\`${type}\``).join(', ')
  }
  return table(
    ['`payment_method`', ...PSPS.map(([name]) => name)],
    [...known].map((name) => [`\`${name}\``].concat(PSPS.map((psp) => cellOf(name, psp)))),
  )
}

/** A table of the codes of problems, and a paragraph for each under a heading that is its anchor. */
function problemParagraphs(): string {
  const codes = Object.keys(PROBLEMS).filter((code): code is ProblemCode => code in PROBLEMS)
  const byStatus = codes.toSorted((one, other) => PROBLEMS[one][0] - PROBLEMS[other][0])
  const rows = byStatus.map((code) => {
    const [status, title] = PROBLEMS[code]
    return [String(status), `[${code}](#${code})`, title]
  })
  const paragraphs = byStatus.map((code) => {
    const [status, title] = PROBLEMS[code]
    const { when, whatToDo } = PROBLEM_HELP[code]
    return `### ${code}\n\n**${status} ${title}.** ${when}\n\n*What to do:* ${whatToDo}`
  })
  return [table(['status', 'code', 'what it says'], rows), ...paragraphs].join('\n\n')
}
