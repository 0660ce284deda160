import * as accounts from './accounts.tsx'
import type { Action } from './action.tsx'
import { auditPage, verifyPage } from './audit.tsx'
import { booksPage, closeMonth, openPage, payoutPage, reopenMonth } from './books.tsx'
import { overviewPage } from './overview.tsx'
import * as payment from './payment-actions.tsx'
import { capture, refund, release } from './payment-amounts.tsx'
import { paymentPage } from './payment.tsx'
import { paymentsPage } from './payments.tsx'
import * as pos from './points-of-sale.tsx'
import { routeAction } from './route-action.tsx'
import { posPage } from './point-of-sale.tsx'
import { reportsPage, resendAll, resendOfShop } from './reports.tsx'
import { decodedPart } from '../platform/http/routes.ts'
import { createToken, endSession, revokeToken, settingsPage, tokensPage } from './settings.tsx'
import * as terminals from './terminals.tsx'
import type { ConsolePage } from './visit.ts'

export type Place = { see: ConsolePage } | Action

const ACTIONS: readonly Action[] = [
  payment.announce,
  payment.pull,
  payment.resend,
  payment.cancel,
  capture,
  release,
  refund,
  payment.clearMoney,
  pos.create,
  pos.change,
  pos.addKey,
  pos.endKeys,
  pos.rotateSecret,
  pos.setPin,
  pos.disable,
  pos.enable,
  routeAction,
  resendOfShop,
  accounts.check,
  accounts.announceAll,
  accounts.rekey,
  accounts.currencies,
  accounts.remove,
  accounts.add,
  terminals.addTerminal,
  terminals.removeTerminal,
  terminals.assignTerminal,
  resendAll,
  closeMonth,
  reopenMonth,
  createToken,
  revokeToken,
  endSession,
]

/** Every address of the console; the first matching pattern wins. */
const PLACES: readonly (readonly [pattern: string, place: Place])[] = [
  ...ACTIONS.map((action) => [action.path, action] as const),
  ['/console', { see: overviewPage }],
  ['/console/payments', { see: paymentsPage }],
  ['/console/payments/:id', { see: paymentPage }],
  ['/console/points-of-sale', { see: pos.posListPage }],
  ['/console/points-of-sale/:id', { see: posPage }],
  ['/console/accounts', { see: accounts.accountsPage }],
  ['/console/accounts/:id/terminals', { see: terminals.terminalsPage }],
  ['/console/accounts/new', { see: accounts.newAccountPage }],
  ['/console/reports', { see: reportsPage }],
  ['/console/books', { see: booksPage }],
  ['/console/books/open', { see: openPage }],
  ['/console/books/:id', { see: payoutPage }],
  ['/console/audit', { see: auditPage }],
  ['/console/audit/verify', { see: verifyPage }],
  ['/console/settings', { see: settingsPage }],
  ['/console/settings/tokens', { see: tokensPage }],
]

const PATTERNS = PLACES.map(
  ([pattern, place]) => [new RegExp(`^${pattern.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`), place] as const,
)

/** Finds the place at a path, with the values of the pattern's names. */
export function placeOf(path: string): [place: Place | null, params: Record<string, string>] {
  for (const [pattern, place] of PATTERNS) {
    const found = pattern.exec(path)
    if (!found) continue
    const params = Object.entries(found.groups ?? {}).map(([name, part]) => [name, decodedPart(part)])
    return [place, Object.fromEntries(params)]
  }
  return [null, {}]
}
