import * as v from 'valibot'
import { type Reserves, credential } from '../../../../src/psp/port.ts'

export const Credentials = v.object({
  apiKey: credential(/^\S{20,}$/, 'must be an API key of Skeleton', 'API key, from where in its dashboard'),
})
export type Credentials = v.InferOutput<typeof Credentials>

/** The PSP's names of methods, by the names that points of sale use: with the address of its document. */
export const METHODS: ReadonlyMap<string, string> = new Map()

/** For how many days it holds reserved money, by method: with the address of its document. */
export const RESERVES: Reserves = { days: new Map(), captures: 'once' }
