import { type Name } from '../contract/operator-operations.ts'
import { addressOf } from '../contract/operation.ts'
import { decodedPart } from '../platform/http/routes.ts'
import { ACCOUNT_CHANGES, accountsPage } from './pages/accounts.tsx'
import { auditPage, verifyPage } from './pages/audit.tsx'
import { BOOKS_CHANGES, booksPage, openPage, payoutPage } from './pages/books.tsx'
import { overviewPage } from './pages/overview.tsx'
import { PAYMENT_CHANGES } from './pages/payment-changes.tsx'
import { paymentPage } from './pages/payment.tsx'
import { paymentsPage } from './pages/payments.tsx'
import { posPage } from './pages/point-of-sale.tsx'
import { POS_CHANGES, posListPage } from './pages/points-of-sale.tsx'
import { REPORT_CHANGES, reportsPage } from './pages/reports.tsx'
import { TOKEN_CHANGES, settingsPage, tokensPage } from './pages/settings.tsx'
import { TERMINAL_CHANGES, terminalsPage } from './pages/terminals.tsx'
import type { Action } from './plumbing/action.tsx'
import type { ConsolePage } from './plumbing/visit.ts'

export type Place = { see: ConsolePage } | Action

const ACTIONS: readonly Action[] = [
  ...PAYMENT_CHANGES,
  ...POS_CHANGES,
  ...ACCOUNT_CHANGES,
  ...TERMINAL_CHANGES,
  ...REPORT_CHANGES,
  ...BOOKS_CHANGES,
  ...TOKEN_CHANGES,
]

const PAGES = {
  '': overviewPage,
  '/payments': paymentsPage,
  '/payments/:id': paymentPage,
  '/points-of-sale': posListPage,
  '/points-of-sale/:id': posPage,
  '/accounts': accountsPage,
  '/accounts/:id/terminals': terminalsPage,
  '/reports': reportsPage,
  '/books': booksPage,
  '/books/open': openPage,
  '/books/:id': payoutPage,
  '/audit': auditPage,
  '/audit/verify': verifyPage,
  '/settings': settingsPage,
  '/settings/tokens': tokensPage,
}

type Pattern = readonly [pattern: URLPattern, place: Place]
let patterns: readonly Pattern[] | undefined

/** Every address of the console; the first matching pattern wins. Made at the first request. */
function patternsOf(): readonly Pattern[] {
  const patternOf = (pathname: string) => new URLPattern({ pathname: `${pathname}{/}?` })
  return [
    ...ACTIONS.map((action) => [patternOf(action.path), action] as const),
    ...Object.entries(PAGES).map(([path, see]) => [patternOf(`/console${path}`), { see }] as const),
  ]
}

/** Finds the place at a path, with the values of the pattern's names. */
export function placeOf(pathname: string): [place: Place | null, params: Record<string, string>] {
  for (const [pattern, place] of (patterns ??= patternsOf())) {
    const found = pattern.exec({ pathname })
    if (!found) continue
    const params = Object.entries(found.pathname.groups).map(([name, part]) => [
      name,
      decodedPart(part ?? ''),
    ])
    return [place, Object.fromEntries(params)]
  }
  return [null, {}]
}

/** Returns the address of the page that asks about a change of `id`. */
export function changeAddress(does: Name, id = ''): string {
  const action = ACTIONS.find((one) => one.does === does)
  if (!action) throw new Error(`the console does not offer ${does}`)
  const [, param = ''] = /:(\w+)/.exec(action.path) ?? []
  return addressOf(action, { params: { [param]: id } })
}
