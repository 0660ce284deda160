import { type DoubleEntry, Post } from '../../contract/books.ts'
import { UsageError, quoted } from '../usage-error.ts'

export type EntryFormat = 'csv' | 'hledger' | 'beancount'

/** What amounts are posted to, by the names that hledger and beancount take as they are. */
const NAMES: Readonly<Record<Post, string>> = {
  bank: 'Assets:Bank',
  payments: 'Income:Payments',
  refunds: 'Income:Refunds',
  chargebacks: 'Expenses:Chargebacks',
  fees: 'Expenses:Fees',
  corrections: 'Expenses:Corrections',
  unexplained: 'Equity:Unexplained',
}

/**
 * Reads `bank=1100,fees=4700`; what is not named keeps its own name. Beancount has accounts in its
 * five roots alone.
 */
export function readCodes(text: string, format: EntryFormat): Record<Post, string> {
  const names = { ...NAMES }
  for (const part of text.split(',').filter(Boolean)) {
    const [name = '', code = ''] = part.split('=')
    const post = Post.options.find((one) => one === name.trim())
    if (!post || code.trim() === '')
      throw new UsageError(
        `--codes cannot be read from ${quoted(part)}: there are ${Post.options.join(', ')}, each with = and a code.`,
      )
    if (
      format === 'beancount' &&
      !/^(Assets|Liabilities|Equity|Income|Expenses)(:[A-Z0-9][\w-]*)+$/.test(code.trim())
    )
      throw new UsageError(`Beancount takes no account ${quoted(code)}: it must be such as Assets:Bank.`)
    names[post] = code.trim()
  }
  return names
}

/** A month of double entry as text. The postings of each journal come to zero. */
export function doubleEntryText(
  { journals, month }: DoubleEntry,
  format: EntryFormat,
  names: Readonly<Record<Post, string>>,
): string {
  switch (format) {
    case 'csv':
      return [
        'date,account,currency,code,debit,credit,payouts',
        ...journals.flatMap(({ date, account, currency, payouts, postings }) =>
          postings.map(({ post, amount }) => {
            const isCredit = amount.startsWith('-')
            const [debit, credit] = isCredit ? ['', amount.slice(1)] : [amount, '']
            return [date, account, currency, names[post], debit, credit, payouts.join(' ')]
              .map(field)
              .join(',')
          }),
        ),
        '',
      ].join('\r\n')
    case 'hledger':
      return entries(journals, names, (journal) => `${journal.date} * ${titleOf(journal)}`)
    case 'beancount':
      return [
        ...usedIn(journals, names).map((name) => `${month}-01 open ${name}`),
        '',
        entries(journals, names, (journal) => `${journal.date} * "${titleOf(journal).replaceAll('"', "'")}"`),
      ].join('\n')
  }
}

type Journal = DoubleEntry['journals'][number]

function titleOf({ account, payouts }: Journal): string {
  return `${account} ${payouts.join(' ')}`
}

function entries(
  journals: readonly Journal[],
  names: Readonly<Record<Post, string>>,
  head: (journal: Journal) => string,
): string {
  return journals
    .map((journal) =>
      [
        head(journal),
        ...journal.postings.map(
          ({ post, amount }) => `    ${names[post].padEnd(30)}  ${amount.padStart(14)} ${journal.currency}`,
        ),
        '',
      ].join('\n'),
    )
    .join('\n')
}

function usedIn(journals: readonly Journal[], names: Readonly<Record<Post, string>>): string[] {
  const used = new Set(journals.flatMap(({ postings }) => postings.map(({ post }) => names[post])))
  return [...used].toSorted()
}

/** RFC 4180. A text that a spreadsheet would take for a formula has an apostrophe before it. */
function field(text: string): string {
  const safe = /^[=+@\t\r-]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
