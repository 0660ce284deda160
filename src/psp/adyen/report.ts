import { type Result, refuse } from '../../contract/result.ts'
import { withDeadline } from '../../platform/deadline.ts'
import { readLimited } from '../http-client.ts'
import type { PayoutWithLines } from '../payouts/payouts.ts'
import type { Connection, ReportFault } from '../port.ts'
import { urlPart } from '../values.ts'
import { readSettlementDetails } from './settlement.ts'
import type { Credentials } from './tables.ts'

/** The most time (ms) and bytes of a download: about 100,000 lines. */
const [DEADLINE, MOST_BYTES] = [60_000, 32 * 1024 * 1024]

/**
 * The names of the reports that the books read. Adyen makes one for each batch that it pays out.
 * https://docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report
 */
export const REPORT_NAME = /^settlement_detail_report_batch_\d{1,9}\.csv$/

/**
 * Downloads a settlement details report as the user of the Report Service. The address is built from the
 * report's signed name, because the `reason` of the webhook is not signed.
 * https://docs.adyen.com/reporting/automatic-reporting/download-reports-automatically
 */
export async function readReport(
  { fetch, endpoint, mode, credentials: { merchantAccount, reportKey } }: Connection<Credentials>,
  name: string,
): Promise<Result<PayoutWithLines[], ReportFault>> {
  if (reportKey === undefined) return refuse({ is: 'unreadable', why: 'the account has no reportKey' })
  const origin = endpoint ?? `https://ca-${mode}.adyen.com`
  const address = `${origin}/reports/download/MerchantAccount/${urlPart(merchantAccount)}/${urlPart(name)}`
  const text = await withDeadline(DEADLINE, async (signal) => {
    const request = { headers: { 'x-api-key': reportKey }, redirect: 'manual', signal } as const
    try {
      const response = await fetch(new Request(address, request))
      if (response.ok && response.body) return await readLimited(response.body, signal, MOST_BYTES)
      await response.body?.cancel()
      return null
    } catch {
      return null
    }
  })
  if (text === null) return refuse({ is: 'unavailable' })
  const read = readSettlementDetails(text)
  if (read.ok) return read
  const { line, column, why } = read.error
  return refuse({ is: 'unreadable', why: `line ${line}, column ${column}: ${why}` })
}
