import * as v from 'valibot'

export const Credentials = v.object({
  apiKey: v.pipe(
    v.string('must be a text'),
    v.trim(),
    v.regex(/^[!-~]{5,}$/, 'must be a MultiSafepay API key: five or more letters and digits'),
    v.description('API key of the website, from Websites → (the website) → API key'),
  ),
})
export type Credentials = v.InferOutput<typeof Credentials>
