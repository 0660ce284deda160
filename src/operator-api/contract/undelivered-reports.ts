import * as v from 'valibot'

/** What the operator API answers about reports that were given up. */

const Status = v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])

/** A job whose newest report was given up at `givenUp`. */
export const UndeliveredReport = v.object({
  paymentJob: v.string(),
  pos: v.string(),
  orderNumber: v.string(),
  status: Status,
  givenUp: v.string(),
})
export type UndeliveredReport = v.InferOutput<typeof UndeliveredReport>

/** The answer of `GET /reports/undelivered`, oldest first, 200 at most. */
export const UndeliveredReportList = v.object({ undelivered: v.array(UndeliveredReport) })
export type UndeliveredReportList = v.InferOutput<typeof UndeliveredReportList>

/** The answer of `POST /reports/resend`, of one page. `next` is the `from` of the next page, or null at the end. */
export const ReportsResent = v.object({ resent: v.number(), next: v.nullable(v.string()) })
export type ReportsResent = v.InferOutput<typeof ReportsResent>
