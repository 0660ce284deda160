import * as v from 'valibot'
import { JobKey } from '../job/core/row.ts'
import { storedShape } from '../platform/stored.ts'
import { IndexCheck } from './nightly-check.ts'
import { Sweep } from './sweep-plan.ts'

/** Queue `sweeps`: a page of a sweep (its first, or the one after a job), or a page of a check. */
export const WakePage = v.object({ sweep: Sweep, after: v.nullable(JobKey) })
export const sweepMessage = storedShape(v.union([WakePage, IndexCheck]))
