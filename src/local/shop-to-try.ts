import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask } from '../cli/operator-api.ts'
import { createHub } from '../client/client.ts'
import { createJob, followPayUrl } from '../kit/payment.ts'

/**
 * Returns the API key of a shop in test mode, which stays next to the hub's data. A new hub gets the shop with
 * three payments, paid, refunded in part and open, so that its pages have something to show.
 */
export async function shopToTry(url: string, stateDir: string): Promise<string> {
  const file = join(stateDir, 'shop-to-try')
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const { apiKey } = await ask('createPointOfSale', { body: { name: 'Shop to try' } })
  writeFileSync(file, apiKey, { mode: 0o600 })
  const api = createHub({ baseUrl: url, apiKey })
  // The hub sends no report to its own till, so none of these can fail.
  const till = { report: `${url}/till`, back: `${url}/till` }
  const order = (number: string, amount: string) =>
    createJob(api, { order_number: number, amount, currency: 'EUR' }, till)
  const jobs = [await order('A-1001', '12.50'), await order('A-1002', '40.00')] as const
  for (const { payUrl } of jobs) {
    const page = await followPayUrl(url, payUrl)
    await page.act('pay', {})
    await page.leadBack()
  }
  await api.refund(jobs[1], { amount: '15.00' })
  await order('A-1003', '7.95')
  return apiKey
}
