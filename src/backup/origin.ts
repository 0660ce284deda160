import * as v from 'valibot'
import type { Origin, PartEnd } from '../contract/backup.ts'
import { equalInConstantTime, sha256, toHex } from '../platform/crypto/hash.ts'
import { hmac, signingSecret } from '../platform/crypto/signing.ts'

/*
 * The proof that a hub with this `SIGNING_ROOT` handed out what a backup has (docs/decisions/access.md). A digest runs
 * through the lines of a part, and the hub signs it at each line: any group of lines can be checked by itself, and a
 * program without the secret can follow the digest to the end of the part, which the signature of the manifest names.
 */

/** How many lines of a part came so far, and the digest of them. */
export type Place = Pick<Origin, 'lines' | 'digest'>
export const START: Place = { lines: 0, digest: '' }

/** Returns the place after more lines. */
export async function placeAfter(place: Place, lines: readonly object[]): Promise<Place> {
  let { digest } = place
  for (const line of lines) digest = await sha256(digest + JSON.stringify(line))
  return { lines: place.lines + lines.length, digest }
}

async function sign(root: string, ...what: readonly unknown[]): Promise<string> {
  return toHex(await hmac('SHA-256', await signingSecret(root, 'backup', 1), JSON.stringify(what)))
}

/** What a hub hands out of a part, from a place on. `begun`: when the backup began, as the manifest says. */
export type Page = { begun: string; part: string; cursor: string | null; from: Place }

const Cursor = v.pipe(
  v.string(),
  v.parseJson(),
  v.tuple([v.string(), v.string(), v.number(), v.string(), v.string()]),
)

/** Reads the `next` of a page that this hub handed out; null for any other text. */
export async function pageAt(root: string, part: string, next: string): Promise<Page | null> {
  const read = v.safeParse(Cursor, next)
  if (!read.success) return null
  const [begun, cursor, lines, digest, proof] = read.output
  const isOwn = await equalInConstantTime(proof, await sign(root, 'page', begun, part, cursor, lines, digest))
  return isOwn ? { begun, part, cursor, from: { lines, digest } } : null
}

/** Signs the lines of a page: each one, where the next page begins, and the end of the part. */
export async function signed(
  root: string,
  { begun, part, from }: Page,
  lines: readonly object[],
  cursor: string | null,
): Promise<{ proofs: string[]; next: string | null; end: PartEnd | null }> {
  let place = from
  const proofs: string[] = []
  for (const line of lines) {
    place = await placeAfter(place, [line])
    proofs.push(await sign(root, 'line', begun, part, place.lines, place.digest))
  }
  const { lines: count, digest } = place
  if (cursor === null) {
    const proof = await sign(root, 'part', begun, part, count, digest)
    return { proofs, next: null, end: { begun, part, ...place, proof } }
  }
  const own = await sign(root, 'page', begun, part, cursor, count, digest)
  return { proofs, next: JSON.stringify([begun, cursor, count, digest, own]), end: null }
}

/** Returns whether this hub handed out these lines in that backup, right after the place. */
export async function isHandedOut(
  root: string,
  part: string,
  lines: readonly object[],
  { begun, lines: before, digest, proof }: Origin,
): Promise<boolean> {
  const place = await placeAfter({ lines: before, digest }, lines)
  return equalInConstantTime(proof, await sign(root, 'line', begun, part, place.lines, place.digest))
}

/** Signs a whole backup. Null unless this hub handed out each of its parts to the end, all in one backup. */
export async function signatureOf(
  root: string,
  release: string,
  parts: readonly PartEnd[],
): Promise<string | null> {
  for (const { begun, part, lines, digest, proof } of parts) {
    const own = await sign(root, 'part', begun, part, lines, digest)
    if (begun !== parts[0]?.begun || !(await equalInConstantTime(proof, own))) return null
  }
  const proofs = parts.map(({ proof }) => proof)
  return sign(root, 'backup', release, proofs)
}
