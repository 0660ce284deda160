import { read, sourceOf } from './documents.ts'

/** Returns the number in the only constant of this name in a folder, or a product such as `64 * 1024`. */
export function constant(folder: string, name: string): number {
  const pattern = new RegExp(`^(?:export )?const ${name} = ([\\d_ *]+)$`, 'gm')
  const values = new Set(
    Array.from(sourceOf(folder).matchAll(pattern), ([, product = '']) =>
      product.split('*').reduce((value, factor) => value * Number(factor.replaceAll('_', '')), 1),
    ),
  )
  const [value] = values
  if (value === undefined || values.size > 1) throw new Error(`no one value of ${name} in ${folder}`)
  return value
}

/** Returns a limit on requests from wrangler.toml: `120 … in 60 seconds`. */
export function quota(name: string): { limit: string; period: string } {
  const [, limit = '', period = ''] =
    new RegExp(`name = "${name}"[^[]*limit = (\\d+), period = (\\d+)`).exec(read('wrangler.toml')) ?? []
  const grouped = Number(limit) >= 10_000 ? Number(limit).toLocaleString('en') : limit
  return { limit: grouped, period }
}
