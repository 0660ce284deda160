import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openShop } from '../support/shop.ts'
import { startThrowawayHub } from '../../src/tools/local/local-hub.ts'
import { PROJECT } from '../../src/tools/wrangler.ts'
import { OPERATIONS } from '../../src/tools/site/openapi/operations.ts'
import { choose, next } from '../e2e/clients.ts'

/** `npm run record:examples`: records an example of each operation of the document, from a real run against a fresh hub. */

const FILE = join(PROJECT, 'src', 'cli', 'site', 'openapi', 'examples.json')

type Json = Record<string, unknown>

const hub = await startThrowawayHub()
const shop = await openShop()
const recorded = new Map<string, { request?: unknown; answer: unknown }>()

/** Asks for one operation, and records what was sent and answered. */
async function ask(
  id: string,
  bearer: string,
  { params = {}, query = '', body }: { params?: Record<string, string>; query?: string; body?: object } = {},
): Promise<Json> {
  const operation = OPERATIONS.find((one) => one.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  const response = await fetch(hub.url + path + query, {
    method: operation.method.toUpperCase(),
    headers: { authorization: `Bearer ${bearer}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const answer = JSON.parse(text) as Json
  if (response.status !== operation.answer.status)
    throw new Error(`${id} answered ${response.status}: ${JSON.stringify(answer)}`)
  recorded.set(id, { ...(body ? { request: body } : {}), answer })
  return answer
}

function orderOf(number: number) {
  return {
    timestamp: Math.floor(Date.now() / 1000),
    currency: 'EUR',
    amount: '12.50',
    return_url: `${shop.url}/thanks`,
    report_url: `${shop.url}/report`,
    payment_method: 'ideal',
    order_id: String(number),
    order_number: `A-${number}`,
    language: 'nl-NL',
    ip_address: '203.0.113.7',
  }
}

const operator = hub.secrets['OPERATOR_TOKEN'] ?? ''

async function recordAccess(): Promise<void> {
  const made = await ask('createOperatorToken', operator, { body: { name: 'Night desk', role: 'support' } })
  await ask('listOperatorTokens', operator)
  await ask('showMe', String(made['token']))
  const { session } = await ask('beginSession', String(made['token']))
  const response = await fetch(`${hub.url}/operator/v1/sessions/end`, {
    method: 'POST',
    headers: { cookie: `hub-session=${String(session)}`, origin: hub.url },
  })
  recorded.set('endSession', { answer: await response.json() })
  await ask('revokeOperatorToken', operator, { params: { id: String(made['id']) } })
}

async function recordPointOfSale(): Promise<Json> {
  const live = await ask('createPointOfSale', operator, { body: { name: 'Shop', mode: 'live' } })
  const params = { id: String(live['id']) }
  const pos = await ask('createPointOfSale', operator, { body: { name: 'Till 3', mode: 'test' } })
  await ask('changePointOfSale', operator, { params, body: { name: 'Shop in Utrecht', signReturn: true } })
  await ask('listPsps', operator)
  const credentials = { apiKey: 'live_EXAMPLEEXAMPLEEXAMPLE' }
  await ask('addAccount', operator, { body: { id: 'mollie-1', psp: 'mollie', mode: 'live', credentials } })
  await ask('replaceCredentials', operator, { params: { id: 'mollie-1' }, body: { credentials } })
  await ask('listAccounts', operator)
  await ask('changePaymentRoute', operator, {
    params,
    body: { paymentMethod: 'ideal', accounts: ['mollie-1'] },
  })
  await ask('listPaymentRoutes', operator, { params })
  const away = { credentials, endpoint: 'http://localhost:9' }
  await fetch(`${hub.url}/operator/v1/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'mollie-2', psp: 'mollie', mode: 'live', ...away }),
  })
  await ask('checkAccount', operator, { params: { id: 'mollie-2' } })
  await ask('removeAccount', operator, { params: { id: 'mollie-2' } })
  await ask('showSealing', operator)
  await ask('rotateSealing', operator)
  await ask('addApiKey', operator, { params })
  await ask('revokeApiKeys', operator, { params })
  await ask('rotateSigningSecret', operator, { params, body: { overlapHours: 24 } })
  await ask('disablePointOfSale', operator, { params })
  await ask('enablePointOfSale', operator, { params })
  await ask('listPointsOfSale', operator)
  return pos
}

async function recordPayments(pos: Json): Promise<string> {
  const { token } = await ask('createToken', String(pos['apiKey']))
  await ask('createTokenBelowApi', String(pos['apiKey']))
  const bearer = String(token)
  await ask('listPaymentMethods', bearer, { query: '?language=nl' })
  const open = await ask('createPaymentJob', bearer, { body: orderOf(1002) })
  await ask('cancelPaymentJob', bearer, { params: { id: String(open['paymentJob']) } })
  const third = await ask('createPaymentJob', bearer, { body: orderOf(1003) })
  await ask('cancelJob', operator, { params: { id: String(third['paymentJob']) } })
  const job = await ask('createPaymentJob', bearer, { body: orderOf(1001) })
  await next(await choose(String(job['payUrl']), 'paid'))
  const params = { id: String(job['paymentJob']) }
  await until(async () => (await ask('getPaymentJob', bearer, { params }))['status'] === 'SUCCESS')
  await ask('createRefund', bearer, { params, body: { amount: '5.00', description: 'A shirt came back' } })
  await ask('listRefunds', bearer, { params })
  await ask('refundJob', operator, {
    params,
    body: { id: crypto.randomUUID(), amount: '2.50', description: 'Late delivery' },
  })
  await until(
    async () =>
      ((await ask('listPaymentJobs', bearer, { query: '?limit=2' }))['paymentJobs'] as object[]).length === 2,
  )
  return params.id
}

async function recordJobs(id: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  const range = `?from=${day}T00:00:00Z&to=2100-01-01T00:00:00Z`
  await ask('searchJobs', operator, { query: '?limit=2' })
  await ask('pullJob', operator, { params: { id } })
  await ask('resendReport', operator, { params: { id } })
  await ask('showJob', operator, { params: { id } })
  await ask('listUndeliveredReports', operator, { query: range })
  await ask('resendUndeliveredReports', operator, { query: range })
  await ask('listIndexDays', operator)
  await ask('verifyIndexDay', operator, { params: { day } })
  await ask('rebuildIndexDay', operator, { params: { day } })
  await ask('listAudit', operator, { query: '?limit=2' })
  await ask('verifyAudit', operator)
  await ask('showFigures', operator, { query: '?by=psp&mode=test' })
  await ask('showRetention', operator)
  await ask('showHealth', '')
}

async function recordHealth(): Promise<void> {
  await ask('showHubHealth', operator)
  await ask('listFailingReports', operator)
  await ask('showSettings', operator)
  await ask('listAlerts', operator)
  await ask('testAlert', operator)
  await ask('showAlertSecret', operator)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries === 60) throw new Error('it takes too long')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** What is secret, and what is of this machine, is not committed. */
function shown(text: string): string {
  return text
    .replaceAll(shop.url, 'https://shop.example.com')
    .replaceAll(hub.url, 'https://payment-hub.example.com')
    .replaceAll(/("apiKey": ?")(?!live_)[^"]*/g, `$1${'EXAMPLE0'.repeat(20)}`)
    .replaceAll(/("token": ?"hub_op_)[^"]*/g, `$1${'EXAMPLE0'.repeat(6).slice(0, 43)}`)
    .replaceAll(/("session": ?"hub_session_)[^"]*/g, '$1EXAMPLE')
    .replaceAll(/("token": ?")(?!hub_op_)[^"]*/g, `$1${'0123456789abcdef'.repeat(10)}`)
    .replaceAll(/("signingSecret": ?")[^"]*/g, `$1${'EXAMPLE+'.repeat(8)}`)
}

try {
  await recordAccess()
  await recordJobs(await recordPayments(await recordPointOfSale()))
  await recordHealth()
  const examples = Object.fromEntries(OPERATIONS.map(({ id }) => [id, recorded.get(id)]))
  await writeFile(FILE, `${shown(JSON.stringify(examples, null, 2))}\n`)
  console.log(`${recorded.size} examples are in ${FILE}`)
} finally {
  shop.close()
  await hub.stop()
}
