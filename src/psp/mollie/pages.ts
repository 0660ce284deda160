import * as v from 'valibot'
import type { ListPage } from '../reading.ts'
import { urlPart } from '../values.ts'

export const Links = v.object({ next: v.nullish(v.object({ href: v.string() })) })

/** Returns the first item of a list's next page; null after the last page, undefined if unreadable. */
export function nextIn(links: v.InferOutput<typeof Links> | undefined): string | null | undefined {
  const href = links?.next?.href
  return href === undefined ? null : URL.parse(href)?.searchParams.get('from') || undefined
}

/**
 * Reads a page of a list, newest first:
 * https://docs.mollie.com/reference/list-refunds, https://docs.mollie.com/reference/list-captures
 */
export function pageIn(list: string, name: string, body: unknown): ListPage | null {
  const Page = v.object({ _embedded: v.object({ [name]: v.array(v.unknown()) }), _links: v.optional(Links) })
  if (!v.is(Page, body)) return null
  const from = nextIn(body._links)
  return { items: body._embedded[name] ?? [], next: from && `${list}?limit=250&from=${urlPart(from)}` }
}
