import { type DoubleEntry, Post } from '../contract/books.ts'
import { isCurrency } from '../contract/money.ts'
import { type Cell, type Separator, csvHead, csvLine } from '../platform/csv-line.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'

export const ENTRY_FORMATS = ['csv', 'hledger', 'ledger', 'beancount'] as const
type EntryFormat = (typeof ENTRY_FORMATS)[number]
type Journal = DoubleEntry['journals'][number]

/** The accounts' usual names, which each format takes. */
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
 * `names`: the operator's account for a post (`bank`), or for a post in one currency (`bank.USD`). `roots`: how
 * the operator's book calls beancount's roots, if it renames them (`Assets` → `Vermögen`).
 */
type Codes = { names: ReadonlyMap<string, string>; roots: ReadonlyMap<string, string> }

/** hledger and ledger read a bracket, a mark or a comment at the beginning, and an amount after two blanks. */
const IN_JOURNAL = /^(?![\s([<*!;])(?!.*\s\s)[^\p{Cc}]+$/u
/** `ACC_COMP_TYPE_RE` and `ACC_COMP_NAME_RE` of beancount 2.3.5, core/account.py. */
const IN_BEANCOUNT = /^\p{Lu}[\p{L}\p{Nd}-]*(?::[\p{Lu}\p{Nd}][\p{L}\p{Nd}-]*)+$/u
const READABLE: Readonly<Record<EntryFormat, RegExp>> = {
  csv: /./,
  hledger: IN_JOURNAL,
  ledger: IN_JOURNAL,
  beancount: IN_BEANCOUNT,
}

/** Reads `bank=1100,bank.USD=1105,fees=4700`; accounts that are not named keep their usual names. */
export function readCodes(text: string, format: EntryFormat): Codes {
  const names = new Map<string, string>()
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, post = '', currency, code = ''] = /^\s*(\w+)(?:\.(\w+))?\s*=\s*(.*?)\s*$/.exec(part) ?? []
    if (!Post.options.some((one) => one === post) || code === '')
      throw new UsageError(
        `--codes cannot be read from ${quoted(part)}: there are ${Post.options.join(', ')}, each with = and a code.`,
      )
    if (currency !== undefined && !isCurrency(currency))
      throw new UsageError(`--codes cannot be read from ${quoted(part)}: ${quoted(currency)} is no currency.`)
    if (!READABLE[format].test(code))
      throw new UsageError(`${format} cannot read the account ${quoted(code)} of --codes.`)
    names.set(currency === undefined ? post : `${post}.${currency}`, code)
  }
  return { names, roots: format === 'beancount' ? rootsIn(names) : new Map() }
}

function rootOf(name: string): string {
  return name.slice(0, name.indexOf(':'))
}

/** Returns beancount's roots that the operator's names rename: a post is in the same root in each book. */
function rootsIn(names: ReadonlyMap<string, string>): Map<string, string> {
  const roots = new Map<string, string>()
  const usual = new Set([...Object.values(NAMES).map(rootOf), 'Liabilities'])
  for (const post of Post.options)
    for (const [key, name] of names) {
      const [own, root] = [rootOf(NAMES[post]), rootOf(name)]
      if (key.split('.')[0] !== post || usual.has(root) || [...roots.values()].includes(root)) continue
      if (roots.has(own))
        throw new UsageError(
          `Beancount takes one name for ${own}, but --codes has two: ${roots.get(own)}, ${root}.`,
        )
      roots.set(own, root)
    }
  const mixed = [...names.values()].find((name) => roots.has(rootOf(name)))
  if (mixed !== undefined)
    throw new UsageError(
      `Beancount cannot read the account ${quoted(mixed)}: --codes has another name for its root.`,
    )
  return roots
}

function nameOf({ names, roots }: Codes, post: Post, currency: string): string {
  const usual = NAMES[post]
  const root = roots.get(rootOf(usual))
  return (
    names.get(`${post}.${currency}`) ?? names.get(post) ?? (root ? usual.replace(rootOf(usual), root) : usual)
  )
}

/**
 * A month of double entry as text. The postings of each journal come to zero. `separator` stands
 * between the cells of CSV.
 *
 * Months of beancount are read together and with the operator's book, so they open no account: a second `open`
 * is an error. The plugin opens those that no file opens. Beancount reads the options of each file by itself.
 */
export function doubleEntryText(
  { journals, mode }: DoubleEntry,
  format: EntryFormat,
  codes: Codes,
  separator: Separator = ',',
): string {
  const entries = journals.map((journal) => entry(journal, format, codes))
  const text = [...(mode === 'test' ? ['; Test mode: no money moved.\n'] : []), ...entries].join('\n')
  switch (format) {
    case 'csv': {
      const head = ['date', 'account', 'currency', 'code', 'debit', 'credit', 'payouts', 'corrects', 'mode']
      const rows = journals.flatMap((journal) => cellsOf(journal, codes, mode))
      return csvHead(head, separator) + rows.map((cells) => csvLine(cells, separator)).join('')
    }
    case 'hledger':
      return `decimal-mark .\n\n${text}`
    case 'ledger':
      return text
    case 'beancount': {
      const renamed = Array.from(
        codes.roots,
        ([own, root]) => `option "name_${own.toLowerCase()}" "${root}"\n`,
      )
      return `${renamed.join('')}plugin "beancount.plugins.auto_accounts"\n\n${text}`
    }
  }
}

function cellsOf(
  { date, account, currency, payouts, postings, corrects }: Journal,
  codes: Codes,
  mode: string,
): readonly Cell[][] {
  return postings.map(({ post, amount }) => {
    const debit = amount.startsWith('-') ? null : { amount }
    const credit = debit === null ? { amount: amount.slice(1) } : null
    const code = nameOf(codes, post, currency)
    return [date, account, currency, code, debit, credit, payouts.join(' '), corrects, mode]
  })
}

function entry(journal: Journal, format: EntryFormat, codes: Codes): string {
  const { date, account, payouts, corrects, postings, currency } = journal
  const title = `${account} ${payouts.join(' ')}${corrects === null ? '' : `, correction of ${corrects}`}`
  const lines = postings.map(({ post, amount }) => {
    const shown = format === 'ledger' ? ledgerAmount(amount, currency) : `${amount.padStart(14)} ${currency}`
    return `    ${nameOf(codes, post, currency).padEnd(30)}  ${shown}\n`
  })
  return [`${date} * ${format === 'beancount' ? `"${title.replaceAll('"', "'")}"` : title}\n`, ...lines].join(
    '',
  )
}

/**
 * Writes an amount as a fraction of whole numbers. Once ledger has read a decimal comma of a currency, in any
 * file, it takes no decimal point of that currency: `30.00` is an error, and `1.234` is 1234 (ledger 3.3.0).
 */
function ledgerAmount(amount: string, currency: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0
  return `(unround(${BigInt(amount.replace('.', ''))} ${currency} / ${10 ** decimals}))`
}
