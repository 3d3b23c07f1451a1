// Finished reviews, kept in IndexedDB: opening the same game again shows its review at once. A cache and nothing
// else: where the browser keeps nothing, reviews are computed again.

import type { Review } from './types.ts'

/** Older reviews make room for new ones. */
const MAX_REVIEWS = 60

interface Kept {
  key: string
  used_ms: number
  review: Review
}

const result = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const request = indexedDB.open('azulejo-reviews', 1)
  request.onupgradeneeded = () => request.result.createObjectStore('reviews', { keyPath: 'key' }).createIndex('used_ms', 'used_ms')
  const database = await result(request)
  database.onversionchange = () => database.close()
  const transaction = database.transaction('reviews', mode)
  transaction.oncomplete = transaction.onabort = () => database.close()
  return transaction.objectStore('reviews')
}

export async function findReview(key: string): Promise<Review | null> {
  try {
    const reviews = await store('readwrite')
    const kept = (await result(reviews.get(key))) as Kept | undefined
    if (kept) reviews.put({ ...kept, used_ms: Date.now() } satisfies Kept)
    return kept?.review ?? null
  } catch {
    return null
  }
}

export async function keepReview(key: string, review: Review): Promise<void> {
  try {
    const reviews = await store('readwrite')
    reviews.put({ key, used_ms: Date.now(), review } satisfies Kept)
    const excess = (await result(reviews.count())) - MAX_REVIEWS
    if (excess <= 0) return
    for (const old of await result(reviews.index('used_ms').getAllKeys(null, excess))) reviews.delete(old)
  } catch {
    // Then it is computed again.
  }
}
