import { isJobId } from '../contract/job-id.ts'
import type { JobPlace } from '../job-index/find-jobs.ts'

/**
 * A place in a list of jobs as clients carry it, in letters that need no encoding in an address (RFC 4648, section 5). What it is made
 * of is nobody's business but the hub's: places that clients hold are read by every later release.
 */
export function writePlace({ created, id }: JobPlace): string {
  return btoa(`${created}.${id}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The place that `writePlace` wrote, or null for any other text. */
export function readPlace(text: string): JobPlace | null {
  try {
    const [created = '', id = '', ...more] = atob(text.replaceAll('-', '+').replaceAll('_', '/')).split('.')
    const place = { created: Number(created), id }
    const isPlace = more.length === 0 && Number.isSafeInteger(place.created) && isJobId(id)
    return isPlace && writePlace(place) === text ? place : null
  } catch {
    return null
  }
}
