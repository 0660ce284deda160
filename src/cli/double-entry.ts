import { type DoubleEntry, Post } from '../contract/books.ts'
import { type Cell, type Separator, csvHead, csvLine } from '../platform/csv-line.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'

type EntryFormat = 'csv' | 'hledger' | 'beancount'
type Names = Readonly<Record<Post, string>>
type Journal = DoubleEntry['journals'][number]

/** The accounts' usual names, which hledger and beancount take as they are. */
const NAMES: Names = {
  bank: 'Assets:Bank',
  payments: 'Income:Payments',
  refunds: 'Income:Refunds',
  chargebacks: 'Expenses:Chargebacks',
  fees: 'Expenses:Fees',
  corrections: 'Expenses:Corrections',
  unexplained: 'Equity:Unexplained',
}

const IN_BEANCOUNT = /^(Assets|Liabilities|Equity|Income|Expenses)(:[A-Z0-9][\w-]*)+$/

/**
 * Reads `bank=1100,fees=4700`; accounts that are not named keep their own names. Beancount has
 * accounts in its five roots only.
 */
export function readCodes(text: string, format: EntryFormat): Names {
  const names = { ...NAMES }
  for (const part of text.split(',').filter(Boolean)) {
    const [name = '', code = ''] = part.split('=').map((word) => word.trim())
    const post = Post.options.find((one) => one === name)
    if (!post || code === '')
      throw new UsageError(
        `--codes cannot be read from ${quoted(part)}: there are ${Post.options.join(', ')}, each with = and a code.`,
      )
    if (format === 'beancount' && !IN_BEANCOUNT.test(code))
      throw new UsageError(`Beancount takes no account ${quoted(code)}: it must be such as Assets:Bank.`)
    names[post] = code
  }
  return names
}

/**
 * A month of double entry as text. The postings of each journal come to zero. `separator` stands
 * between the cells of CSV.
 */
export function doubleEntryText(
  { journals, month, mode }: DoubleEntry,
  format: EntryFormat,
  names: Names,
  separator: Separator = ',',
): string {
  const mark = mode === 'test' ? '; Test mode: no money moved.\n\n' : ''
  switch (format) {
    case 'csv': {
      const head = ['date', 'account', 'currency', 'code', 'debit', 'credit', 'payouts', 'corrects', 'mode']
      const rows = journals.flatMap((journal) => cellsOf(journal, names, mode))
      return csvHead(head, separator) + rows.map((cells) => csvLine(cells, separator)).join('')
    }
    case 'hledger':
      return mark + journals.map((journal) => entry(journal, names, titleOf(journal))).join('\n')
    case 'beancount': {
      const used = new Set(journals.flatMap(({ postings }) => postings.map(({ post }) => names[post])))
      const opened = [...used].toSorted().map((name) => `${month}-01 open ${name}\n`)
      const entries = journals.map((journal) =>
        entry(journal, names, `"${titleOf(journal).replaceAll('"', "'")}"`),
      )
      return mark + [opened.join(''), ...entries].join('\n')
    }
  }
}

function cellsOf(
  { date, account, currency, payouts, postings, corrects }: Journal,
  names: Names,
  mode: string,
): readonly Cell[][] {
  return postings.map(({ post, amount }) => {
    const debit = amount.startsWith('-') ? null : { amount }
    const credit = debit === null ? { amount: amount.slice(1) } : null
    return [date, account, currency, names[post], debit, credit, payouts.join(' '), corrects, mode]
  })
}

function titleOf({ account, payouts, corrects }: Journal): string {
  return `${account} ${payouts.join(' ')}${corrects === null ? '' : `, correction of ${corrects}`}`
}

function entry({ date, postings, currency }: Journal, names: Names, title: string): string {
  const lines = postings.map(
    ({ post, amount }) => `    ${names[post].padEnd(30)}  ${amount.padStart(14)} ${currency}\n`,
  )
  return [`${date} * ${title}\n`, ...lines].join('')
}
