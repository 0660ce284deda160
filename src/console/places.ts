import * as accounts from './account-actions.tsx'
import { accountsPage, newAccountPage } from './accounts.tsx'
import type { Action } from './action.tsx'
import { auditPage, verifyPage } from './audit.tsx'
import { overviewPage } from './overview.tsx'
import * as payment from './payment-actions.tsx'
import { paymentPage } from './payment.tsx'
import { paymentsPage } from './payments.tsx'
import * as pos from './points-of-sale.tsx'
import { routeAction } from './route-action.tsx'
import { posPage } from './point-of-sale.tsx'
import { posListPage } from './points-of-sale.tsx'
import { reportsPage, resendAll, resendOfShop } from './reports.tsx'
import { createToken, revokeToken, settingsPage, tokensPage } from './settings.tsx'
import type { Page } from './visit.ts'

export type Place = { see: Page } | Action

/** Every address of the console; the first matching pattern wins. */
const PLACES: readonly (readonly [pattern: string, place: Place])[] = [
  ['/console', { see: overviewPage }],
  ['/console/payments', { see: paymentsPage }],
  ['/console/payments/:id', { see: paymentPage }],
  ['/console/payments/:id/pull', payment.pull],
  ['/console/payments/:id/resend', payment.resend],
  ['/console/payments/:id/cancel', payment.cancel],
  ['/console/payments/:id/refund', payment.refund],
  ['/console/points-of-sale', { see: posListPage }],
  ['/console/points-of-sale/new', pos.create],
  ['/console/points-of-sale/:id', { see: posPage }],
  ['/console/points-of-sale/:id/rename', pos.rename],
  ['/console/points-of-sale/:id/key', pos.addKey],
  ['/console/points-of-sale/:id/end-keys', pos.endKeys],
  ['/console/points-of-sale/:id/secret', pos.rotateSecret],
  ['/console/points-of-sale/:id/disable', pos.disable],
  ['/console/points-of-sale/:id/enable', pos.enable],
  ['/console/points-of-sale/:id/route', routeAction],
  ['/console/points-of-sale/:id/resend', resendOfShop],
  ['/console/accounts', { see: accountsPage }],
  ['/console/accounts/new', { see: newAccountPage }],
  ['/console/accounts/:id/check', accounts.check],
  ['/console/accounts/:id/credentials', accounts.rekey],
  ['/console/accounts/:id/remove', accounts.remove],
  ['/console/accounts/new/:psp', accounts.add],
  ['/console/reports', { see: reportsPage }],
  ['/console/reports/resend', resendAll],
  ['/console/audit', { see: auditPage }],
  ['/console/audit/verify', { see: verifyPage }],
  ['/console/settings', { see: settingsPage }],
  ['/console/settings/tokens', { see: tokensPage }],
  ['/console/settings/tokens/new', createToken],
  ['/console/settings/tokens/:id/revoke', revokeToken],
]

/** Finds the place at a path, with the values of the pattern's names. */
export function placeOf(path: string): [place: Place | null, params: Record<string, string>] {
  const parts = path.replace(/\/$/, '').split('/')
  for (const [pattern, place] of PLACES) {
    const params = paramsOf(pattern.split('/'), parts)
    if (params) return [place, params]
  }
  return [null, {}]
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [place, wanted] of pattern.entries()) {
    const given = parts[place] ?? ''
    if (wanted.startsWith(':')) params[wanted.slice(1)] = decoded(given)
    else if (wanted !== given) return null
  }
  return params
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
