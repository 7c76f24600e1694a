/** What was read of users, kept until it is written. */
export interface KeptReads<Value> {
  /** What is kept, else what is read now. Those who ask while it is read are given the same. */
  read(userId: string): Promise<Value>
  /** Called when what was read of a user may have changed, before anybody is told that it has. */
  forget(userId: string): void
}

/**
 * Keeps what is read of users, the ones who were asked for last, as long as all of it together is no larger than `most`.
 * What a read brings that had begun before a write is given to those who asked for it, and not kept. [REQ10]
 */
export function createKeptReads<Value>({
  read,
  sizeOf,
  most,
}: {
  readonly read: (userId: string) => Promise<Value>
  readonly sizeOf: (value: Value) => number
  readonly most: number
}): KeptReads<Value> {
  const kept = new Map<string, { readonly value: Promise<Value>; size: number }>()
  let size = 0

  function forget(userId: string): void {
    size -= kept.get(userId)?.size ?? 0
    kept.delete(userId)
  }

  function keep(userId: string): Promise<Value> {
    const value = read(userId)
    const place = { value, size: 0 }
    kept.set(userId, place)
    const isKept = (): boolean => kept.get(userId) === place
    void value.then(
      (found) => {
        if (!isKept()) return
        place.size = sizeOf(found)
        size += place.size
        for (const oldest of kept.keys()) {
          if (size <= most) break
          forget(oldest)
        }
      },
      () => {
        if (isKept()) forget(userId)
      },
    )
    return value
  }

  return {
    read(userId) {
      const place = kept.get(userId)
      if (place === undefined) return keep(userId)
      kept.delete(userId)
      kept.set(userId, place)
      return place.value
    },
    forget,
  }
}
