import { join } from 'node:path'
import { PROJECT } from '../../programs/wrangler.ts'

/** Where build-docs.ts puts the Markdown pages for VitePress. */
export const SOURCES = join(PROJECT, '.wrangler', 'docs-sources')

/** The pages of the operator API, by the first words of addresses. The last page has all others. */
export const OPERATOR_PAGES: readonly (readonly [name: string, title: string, words: readonly string[]])[] = [
  ['operator-pos', 'Points of sale', ['pos']],
  ['operator-accounts', 'PSP accounts', ['psps', 'accounts', 'sealing']],
  ['operator-jobs', 'Payments and reports', ['jobs', 'reports', 'figures']],
  ['operator-index', 'Index of jobs', ['index', 'retention']],
  ['operator-books', 'Books', ['books']],
  ['operator-backup', 'Backup', ['backup', 'restore']],
  ['operator-access', 'Access and audit', ['me', 'tokens', 'sessions', 'audit']],
  ['operator-hub', 'State of the hub', []],
]

/**
 * The sections of the sidebar with their pages: `guide` is docs/pos/guide.md, at /docs/guide.
 * `index` is /docs itself. The last section has all pages that no section names.
 */
const SECTIONS: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ['Begin', ['index', 'guide', 'sample-shop', 'sandbox', 'till', 'kit', 'local-testing']],
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
      'captures',
      'terminals',
      'terminal-doubts',
    ],
  ],
  ['Be sure', ['certificate', 'retries', 'finding-jobs', 'errors', 'limits']],
  ['Look up', ['reference', 'client', 'payocity', 'versioning']],
  ['Operator API', ['operator-reference', ...OPERATOR_PAGES.map(([name]) => name)]],
  ['More', []],
]

/** Sorts `names` into the sections of the sidebar, and leaves out empty ones. */
export function inOrder(names: readonly string[]): [title: string, pages: string[]][] {
  const listed = new Set(SECTIONS.flatMap(([, pages]) => pages))
  const others = names.filter((name) => !listed.has(name)).toSorted()
  return SECTIONS.map(([title, pages], at): [string, string[]] => [
    title,
    [...pages.filter((name) => names.includes(name)), ...(at === SECTIONS.length - 1 ? others : [])],
  ]).filter(([, pages]) => pages.length > 0)
}
