import * as v from 'valibot'
import { fromBase64, toBase64 } from '../platform/crypto/hash.ts'

/**
 * An order on its way to the hub. A reload sends it again with the same Idempotency-Key, so that no
 * payment exists that the till does not know.
 */
const Placing = v.object({ at: v.number(), order: v.record(v.string(), v.string()) })
export type Placing = v.InferOutput<typeof Placing>

/**
 * The data that survive a reload. They are in the tab's sessionStorage, sealed with a key that the browser
 * keeps in IndexedDB and gives to no script as bytes. So a copy of the tab's storage reveals nothing. A
 * person at the unlocked device can still use the open till.
 */
const TillData = v.object({
  apiKey: v.string(),
  signingSecret: v.string(),
  jobs: v.array(v.string()),
  unseen: v.exactOptional(v.array(v.string())),
  open: v.nullable(v.string()),
  placing: v.exactOptional(Placing),
  last: v.record(v.string(), v.string()),
})
export type TillData = v.InferOutput<typeof TillData>

const NAME = 'payment-hub-till'
/** How long (ms) a till can be opened again: a day at the market. */
const LIFE = 12 * 60 * 60_000

const Sealed = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ key: v.string(), iv: v.string(), text: v.string() }),
)

const KeptKey = v.object({ key: v.instance(CryptoKey), until: v.number() })

/** Keeps the data for a reload. If the browser stores nothing, a reload closes the till. */
export async function keep(content: TillData): Promise<void> {
  const [known, iv] = [await keyOfTab(), crypto.getRandomValues(new Uint8Array(12))]
  const { name, key } = known ?? (await newKey())
  const text = new TextEncoder().encode(JSON.stringify(content))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text)
  sessionStorage.setItem(NAME, JSON.stringify({ key: name, iv: toBase64(iv), text: toBase64(sealed) }))
}

/** Returns the data that this tab kept; null if there are none, or after LIFE. */
export async function kept(): Promise<TillData | null> {
  const { success, output: sealed } = v.safeParse(Sealed, sessionStorage.getItem(NAME))
  const known = await keyOfTab()
  if (!success || !known) return null
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: fromBase64(sealed.iv) },
    known.key,
    fromBase64(sealed.text),
  )
  return v.parse(v.pipe(v.string(), v.parseJson(), TillData), new TextDecoder().decode(opened))
}

export async function forget(): Promise<void> {
  const { success, output } = v.safeParse(Sealed, sessionStorage.getItem(NAME))
  sessionStorage.removeItem(NAME)
  if (success) await inStore('readwrite', (store) => store.delete(output.key))
}

async function keyOfTab(): Promise<{ name: string; key: CryptoKey } | null> {
  const { success, output: sealed } = v.safeParse(Sealed, sessionStorage.getItem(NAME))
  if (!success) return null
  const found = v.safeParse(KeptKey, await inStore('readonly', (store) => store.get(sealed.key)))
  if (!found.success || found.output.until < Date.now()) return null
  return { name: sealed.key, key: found.output.key }
}

/** Makes the key of a tab, and deletes keys older than LIFE. */
async function newKey(): Promise<{ name: string; key: CryptoKey }> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const [name, until] = [`${Date.now()}-${crypto.randomUUID()}`, Date.now() + LIFE]
  await inStore('readwrite', (store) => store.delete(IDBKeyRange.upperBound(String(Date.now() - LIFE))))
  await inStore('readwrite', (store) => store.put({ key, until }, name))
  return { name, key }
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(NAME)
  opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore('keys'))
  const database = await settled(opening)
  try {
    return await settled(act(database.transaction('keys', mode).objectStore('keys')))
  } finally {
    database.close()
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser stores nothing.')))
  })
}
