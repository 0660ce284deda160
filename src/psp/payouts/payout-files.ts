import type { Result } from '../../contract/result.ts'
import { readSettlementDetails } from '../adyen/settlement.ts'
import { readSettlementFile } from '../mollie/settlement-file.ts'
import { readPayoutReport } from '../multisafepay/payout-report.ts'
import type { FileFault, PayoutWithLines } from './payouts.ts'

/** The reader of each PSP's payout files, by the PSP's name. */
export const PAYOUT_FILES: Readonly<Record<string, (text: string) => Result<PayoutWithLines[], FileFault>>> =
  {
    adyen: readSettlementDetails,
    mollie: readSettlementFile,
    multisafepay: readPayoutReport,
  }
