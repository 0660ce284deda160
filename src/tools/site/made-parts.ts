import { PROBLEM_HELP, type ProblemCode, PROBLEMS } from '../../contract/problems.ts'
import { PAYMENT_METHODS } from '../../contract/payment-methods.ts'
import { METHODS as ADYEN } from '../../psp/adyen/tables.ts'
import { METHODS as MOLLIE, UNSUPPORTED as MOLLIE_UNSUPPORTED } from '../../psp/mollie/tables.ts'
import { METHODS as MULTISAFEPAY } from '../../psp/multisafepay/tables.ts'
import { METHODS as STRIPE } from '../../psp/stripe/tables.ts'
import { problemExample } from './problem-examples.ts'
import { tryIt } from './try-it.tsx'

/** Parts of documents that are made from the code, in Markdown. `<!-- made: NAME -->` in a document is where one goes. */
const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'payment-methods': () => methodsTable(),
  problems: () => problemParagraphs(),
}

/** Parts in HTML, which come in once the rest has been rendered: Markdown would take what is in them for its own. */
const HTML_PARTS: Readonly<Record<string, () => string>> = { 'try-it': tryIt }

/** Fills in the parts of a rendered document that are HTML. */
export function withHtmlParts(html: string): string {
  return Object.entries(HTML_PARTS).reduce(
    (filled, [name, make]) => filled.replace(`<!-- made: ${name} -->`, () => make()),
    html,
  )
}

/** Fills in the parts of a document that are made from the code. Throws for one that there is not. */
export async function withMadeParts(source: string): Promise<string> {
  let filled = source
  for (const [mark, name = ''] of source.matchAll(/<!-- made: ([\w-]+) -->/g)) {
    if (name in HTML_PARTS) continue
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
  const rowOf = (first: string, cells: readonly string[]) => `| ${first} | ${cells.join(' | ')} |`
  return [
    rowOf(
      '`payment_method`',
      PSPS.map(([name]) => name),
    ),
    rowOf(
      '---',
      PSPS.map(() => '---'),
    ),
    ...[...known].map((name) =>
      rowOf(
        `\`${name}\``,
        PSPS.map((psp) => cellOf(name, psp)),
      ),
    ),
  ].join('\n')
}

/** A list of the codes of problems, and a paragraph for each under a heading that is its anchor. */
async function problemParagraphs(): Promise<string> {
  const codes = Object.keys(PROBLEMS).filter((code): code is ProblemCode => code in PROBLEMS)
  const byStatus = codes.toSorted((one, other) => PROBLEMS[one][0] - PROBLEMS[other][0])
  const rows = byStatus.map((code) => `| ${PROBLEMS[code].join(` | [${code}](#${code}) | `)} |`)
  const paragraphs = byStatus.map(async (code) => {
    const [status, title] = PROBLEMS[code]
    const { when, whatToDo } = PROBLEM_HELP[code]
    const example = await problemExample(code)
    return `### ${code}\n\n**${status} ${title}.** ${when}\n\n*What to do:* ${whatToDo}\n\n\`\`\`http\n${example}\n\`\`\``
  })
  return [
    '| status | code | what it says |',
    '| --- | --- | --- |',
    ...rows,
    '',
    (await Promise.all(paragraphs)).join('\n\n'),
  ].join('\n')
}
