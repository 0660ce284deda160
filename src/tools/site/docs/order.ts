import { join } from 'node:path'
import { PROJECT } from '../../wrangler.ts'

/** Where build-docs.ts puts the pages in Markdown for VitePress. */
export const SOURCES = join(PROJECT, '.wrangler', 'docs-sources')

/**
 * The sections of the sidebar, and the pages in each: `guide` is docs/pos/guide.md, at /docs/guide.
 * `index` is /docs itself. A page that no section names is in the last one.
 */
export const SECTIONS: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ['Begin', ['index', 'guide', 'sandbox', 'till', 'local-testing']],
  [
    'Take payments',
    [
      'orders',
      'methods',
      'payment-methods',
      'return',
      'customer-pages',
      'webhooks',
      'live-status',
      'refunds',
    ],
  ],
  ['Be sure', ['retries', 'finding-jobs', 'errors', 'limits']],
  ['Look up', ['reference', 'client', 'versioning']],
  [
    'Operator API',
    [
      'operator-reference',
      'operator-pos',
      'operator-accounts',
      'operator-jobs',
      'operator-index',
      'operator-access',
      'operator-hub',
    ],
  ],
  ['More', []],
]

/**
 * Pages in the order of the sidebar, each section with those of `names` that it has. Empty sections
 * are left out.
 */
export function inOrder(names: readonly string[]): [title: string, pages: string[]][] {
  const listed = new Set(SECTIONS.flatMap(([, pages]) => pages))
  const others = names.filter((name) => !listed.has(name)).toSorted()
  return SECTIONS.map(([title, pages], at): [string, string[]] => [
    title,
    [...pages.filter((name) => names.includes(name)), ...(at === SECTIONS.length - 1 ? others : [])],
  ]).filter(([, pages]) => pages.length > 0)
}
