import * as v from 'valibot'

/** What a person or a program may do: look; also pull payments and send reports again; everything. */
export const Role = v.picklist(['viewer', 'support', 'operator'])
export type Role = v.InferOutput<typeof Role>
