import type { Account, AccountChecked, AccountList, PspList } from '../contract/accounts.ts'
import type { AuditList, AuditVerified } from '../contract/audit.ts'
import type { Figures, Retention } from '../contract/job-index.ts'
import type { FailingReports, ReportsResent, UndeliveredReportList } from '../contract/failing-reports.ts'
import type { HubHealth, Settings } from '../contract/hub-health.ts'
import type { JobDetail, ListedJob, OperatorJobList } from '../contract/jobs.ts'
import type { Refund } from '../contract/refund.ts'
import type { Me, OperatorTokenCreated, OperatorTokenList, SessionBegun } from '../contract/operators.ts'
import type {
  ApiKeyAdded,
  ApiKeysRevoked,
  NewPointOfSaleCreated,
  PaymentRouteList,
  PointOfSaleList,
  SigningSecretRotated,
} from '../contract/points-of-sale.ts'
import type { Problem } from '../contract/problems.ts'

/** Every call of the operator API that the console makes. */

/** The operator API, in this same Worker. */
export type Ask = (request: Request) => Promise<Response>

/** What the API answered: a value, or its problem. */
export type Answer<T> = { ok: true; value: T } | { ok: false; problem: ApiProblem }
export type ApiProblem = Pick<Problem, 'status' | 'detail' | 'errors'> & { code: string }

export type Listed = ListedJob
export type Payment = JobDetail

type Fields = Readonly<Record<string, unknown>>
type Query = Readonly<Record<string, string | undefined>>

/**
 * The headers of a browser's request that the API judges by: who asks, and whether a page of ours made it ask. The rest of them, such as the
 * type of a form, is of the console's own request.
 */
const PASSED = [
  'cookie',
  'cf-access-jwt-assertion',
  'cf-connecting-ip',
  'origin',
  'sec-fetch-site',
  'x-request-id',
]

function queryOf(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

const part = encodeURIComponent

export function apiOf(request: Request, ask: Ask) {
  const call = async <T>(
    method: 'GET' | 'POST',
    path: string,
    body?: Fields,
    token?: string,
  ): Promise<Answer<T>> => {
    const headers = new Headers({ accept: 'application/json' })
    for (const name of PASSED) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    if (body) headers.set('content-type', 'application/json')
    if (token !== undefined) {
      headers.set('authorization', `Bearer ${token}`)
      headers.delete('cookie')
    }
    const sent = method === 'GET' ? {} : { body: body ? JSON.stringify(body) : '' }
    const url = new URL(`/operator/v1${path}`, request.url)
    const response = await ask(new Request(url, { method, headers, ...sent }))
    if (response.ok) return { ok: true, value: await response.json<T>() }
    return { ok: false, problem: await problemOf(response) }
  }
  const get = <T>(path: string, query: Query = {}) => call<T>('GET', path + queryOf(query))
  const post = <T>(path: string, body?: Fields) => call<T>('POST', path, body)

  return {
    me: () => get<Me>('/me'),
    beginSession: (token: string) => call<SessionBegun>('POST', '/sessions', undefined, token),
    endSession: () => post<object>('/sessions/end'),
    figures: (query: Query) => get<Figures>('/figures', query),
    health: () => get<HubHealth>('/health'),
    settings: () => get<Settings>('/settings'),
    retention: () => get<Retention>('/retention'),

    payments: (query: Query) =>
      get<{ jobs: Listed[]; next: OperatorJobList['next'] }>('/jobs', { limit: '50', ...query }),
    payment: (id: string) => get<Payment>(`/jobs/${part(id)}`),
    pull: (id: string) => post<JobDetail>(`/jobs/${part(id)}/pull`),
    resend: (id: string) => post<JobDetail>(`/jobs/${part(id)}/resend`),
    cancel: (id: string) => post<JobDetail>(`/jobs/${part(id)}/cancel`),
    refund: (id: string, refund: Fields) => post<Refund>(`/jobs/${part(id)}/refunds`, refund),

    failingReports: (query: Query = {}) => get<FailingReports>('/reports/failing', query),
    undelivered: (from: string, to: string) =>
      get<UndeliveredReportList>('/reports/undelivered', { from, to }),
    resendAll: (from: string, to: string) => post<ReportsResent>(`/reports/resend${queryOf({ from, to })}`),

    pointsOfSale: () => get<PointOfSaleList>('/pos'),
    createPos: (pos: Fields) => post<NewPointOfSaleCreated>('/pos', pos),
    changePos: (id: string, changes: Fields) => post<object>(`/pos/${part(id)}`, changes),
    disablePos: (id: string) => post<object>(`/pos/${part(id)}/disable`),
    enablePos: (id: string) => post<object>(`/pos/${part(id)}/enable`),
    addKey: (id: string) => post<ApiKeyAdded>(`/pos/${part(id)}/keys`),
    revokeKeys: (id: string) => post<ApiKeysRevoked>(`/pos/${part(id)}/keys/revoke`),
    rotateSecret: (id: string, how: Fields) => post<SigningSecretRotated>(`/pos/${part(id)}/secret`, how),
    routes: (id: string) => get<PaymentRouteList>(`/pos/${part(id)}/routes`),
    changeRoute: (id: string, route: Fields) => post<PaymentRouteList>(`/pos/${part(id)}/routes`, route),

    psps: () => get<PspList>('/psps'),
    accounts: () => get<AccountList>('/accounts'),
    addAccount: (account: Fields) => post<Account>('/accounts', account),
    checkAccount: (id: string) => post<AccountChecked>(`/accounts/${part(id)}/check`),
    rekeyAccount: (id: string, credentials: Fields) =>
      post<object>(`/accounts/${part(id)}/credentials`, { credentials }),
    removeAccount: (id: string) => post<object>(`/accounts/${part(id)}/remove`),

    audit: (query: Query) => get<AuditList>('/audit', query),
    verifyAudit: (after?: string) => get<AuditVerified>('/audit/verify', { after }),

    tokens: () => get<OperatorTokenList>('/tokens'),
    createToken: (token: Fields) => post<OperatorTokenCreated>('/tokens', token),
    revokeToken: (id: string) => post<object>(`/tokens/${part(id)}/revoke`),
  }
}
export type Api = ReturnType<typeof apiOf>

/** Where the browser itself asks the API: for a file to keep, and for what happens to a payment. Its cookie goes with it. */
export function exportAddress(query: Query): string {
  return `/operator/v1/jobs/export${queryOf({ format: 'csv', ...query })}`
}
export function eventsAddress(id: string): string {
  return `/operator/v1/jobs/${part(id)}/events`
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const { status } = response
  try {
    const { code, detail, errors } = await response.json<Problem>()
    return { status, code, detail, ...(errors ? { errors } : {}) }
  } catch {
    return { status, code: '', detail: `The API answered with ${status}.` }
  }
}
