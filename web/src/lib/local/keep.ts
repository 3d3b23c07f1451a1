// The games of this browser, in IndexedDB: one entry for each game, written as a whole after every event. A
// browser may have no IndexedDB (private mode) or no room left: then entries stay in memory until they can be
// written, and `state` says so.

/** `yes`: in the database. `full`: the last write found no room. `no`: the browser keeps nothing. */
export type Kept = 'yes' | 'full' | 'no'

/** What is stored for a game; `entry.ts` knows more about it. */
export interface Stored {
  id: string
  /** The number of the last event. */
  number: number
}

/** An entry that could not be read. It is kept for export. */
export interface Damaged {
  id: string
  why: string
  entry: unknown
}

type Store = 'games' | 'damaged'

export class Keep {
  kept: Kept = 'no'
  readonly #database: IDBDatabase | null
  /** The entries that are not in the database. */
  readonly #memory = new Map<string, Stored>()

  constructor(database: IDBDatabase | null) {
    this.#database = database
    if (!database) return
    this.kept = 'yes'
    // Another tab may need a newer schema or delete everything.
    database.onversionchange = () => database.close()
  }

  static async open(): Promise<Keep> {
    try {
      const request = indexedDB.open('azulejo', 1)
      request.onupgradeneeded = () => {
        for (const name of ['games', 'damaged']) request.result.createObjectStore(name, { keyPath: 'id' })
      }
      return new Keep(await result(request))
    } catch {
      return new Keep(null)
    }
  }

  async find(id: string): Promise<Stored | undefined> {
    return this.#memory.get(id) ?? this.#read((games) => games.get(id), undefined)
  }

  async all(): Promise<Stored[]> {
    const stored = await this.#read((games) => games.getAll(), [] as Stored[])
    return [...stored.filter(({ id }) => !this.#memory.has(id)), ...this.#memory.values()]
  }

  async damaged(): Promise<Damaged[]> {
    return this.#read((store) => store.getAll(), [] as Damaged[], 'damaged')
  }

  /**
   * Writes an entry that follows the one with the given number, and says whether it could: another tab
   * may have taken the game over and written first.
   */
  async put(entry: Stored, after: number | null): Promise<boolean> {
    if (!this.#database) {
      this.#memory.set(entry.id, entry)
      return true
    }
    try {
      const isOurs = await this.#write('games', async (games) => {
        const last = (await result(games.get(entry.id))) as Stored | undefined
        // An earlier event may be in memory only, because there was no room for it.
        if (last && after !== null && last.number !== after && !this.#memory.has(entry.id)) return false
        games.put(entry)
        return true
      })
      this.#memory.delete(entry.id)
      this.kept = 'yes'
      return isOurs ?? true
    } catch {
      this.#memory.set(entry.id, entry)
      this.kept = 'full'
      return true
    }
  }

  /** Moves an entry to the damaged ones. */
  async setAside(id: string, why: string): Promise<void> {
    const entry = await this.find(id)
    if (!entry || !this.#database) return
    await this.#write('damaged', async (damaged) => void damaged.put({ id, why, entry } satisfies Damaged))
    await this.#write('games', async (games) => void games.delete(id))
  }

  async remove(id: string): Promise<void> {
    this.#memory.delete(id)
    for (const store of ['games', 'damaged'] as const) await this.#write(store, async (games) => void games.delete(id))
  }

  async #read<T>(read: (store: IDBObjectStore) => IDBRequest, fallback: T, store: Store = 'games'): Promise<T> {
    if (!this.#database) return fallback
    return (await result(read(this.#database.transaction(store).objectStore(store)))) as T
  }

  /** A transaction, which is over when the browser says that it is. */
  async #write<T>(store: Store, change: (store: IDBObjectStore) => Promise<T>): Promise<T | undefined> {
    if (!this.#database) return undefined
    const transaction = this.#database.transaction(store, 'readwrite')
    const over = new Promise<void>((complete, failed) => {
      transaction.oncomplete = () => complete()
      transaction.onabort = transaction.onerror = () => failed(transaction.error ?? new Error('aborted'))
    })
    const [value] = await Promise.all([change(transaction.objectStore(store)), over])
    return value
  }
}

const result = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
