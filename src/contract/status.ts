import * as v from 'valibot'

/** The status of a payment job, in the words that clients of the field know. */
export const Status = v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])
export type Status = v.InferOutput<typeof Status>
