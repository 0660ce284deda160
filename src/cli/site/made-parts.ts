import { PROBLEMS, type ProblemCode } from '../../http/problem-codes.ts'
import { PROBLEM_HELP } from '../../http/problem-help.ts'
import { PAYMENT_METHODS } from '../../domain/payment-methods.ts'
import { METHODS as ADYEN } from '../../psp/adyen/tables.ts'
import { METHODS as MOLLIE, UNSUPPORTED as MOLLIE_UNSUPPORTED } from '../../psp/mollie/tables.ts'
import { METHODS as MULTISAFEPAY } from '../../psp/multisafepay/tables.ts'
import { METHODS as STRIPE } from '../../psp/stripe/tables.ts'
import { problemExample } from './problem-examples.ts'
import { tryIt } from './try-it.tsx'

/** Parts of documents that are made from the code, in Markdown or HTML. `<!-- made: NAME -->` in a document is where one goes. */
const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'payment-methods': () => methodsTable(),
  problems: () => problemParagraphs(),
  'try-it': () => tryIt(),
}

/** Fills in the parts of a document that are made from the code. Throws for one that there is not. */
export const withMadeParts = async (source: string): Promise<string> => {
  let filled = source
  for (const [mark, name = ''] of source.matchAll(/<!-- made: ([\w-]+) -->/g)) {
    const make = PARTS[name]
    if (!make) throw new Error(`no part of a document is called ${name}`)
    const made = await make()
    filled = filled.replace(mark, () => made)
  }
  return filled
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
const methodsTable = (): string => {
  const known = new Set([
    ...PAYMENT_METHODS,
    ...PSPS.flatMap(([, methods]) => [...methods.keys()]).toSorted(),
  ])
  const cellOf = (name: string, [, methods, unsupported]: (typeof PSPS)[number]): string => {
    if (unsupported?.has(name)) return 'refused'
    const types = [methods.get(name) ?? []].flat()
    return types.length === 0 ? '–' : types.map((type) => `\`${type}\``).join(', ')
  }
  const rows = [...known].map((name) => [`\`${name}\``, ...PSPS.map((psp) => cellOf(name, psp))])
  return [['`payment_method`', ...PSPS.map(([name]) => name)], PSPS.map(() => '---').concat('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** A paragraph for each code of a problem, under a heading that is its anchor. */
const problemParagraphs = async (): Promise<string> => {
  const codes = Object.keys(PROBLEMS).filter((code): code is ProblemCode => code in PROBLEMS)
  const paragraphs = codes
    .toSorted((one, other) => PROBLEMS[one][0] - PROBLEMS[other][0])
    .map(async (code) => {
      const [status, title] = PROBLEMS[code]
      const { when, whatToDo } = PROBLEM_HELP[code]
      const example = await problemExample(code)
      return `### ${code}\n\n**${status} ${title}.** ${when}\n\n*What to do:* ${whatToDo}\n\n\`\`\`http\n${example}\n\`\`\``
    })
  return (await Promise.all(paragraphs)).join('\n\n')
}
