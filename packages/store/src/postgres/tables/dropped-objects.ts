import { StoreReadError, StoreWriteError } from '@holdfast/conversation'
import type { Bucket } from '../../bucket/bucket.ts'
import type { Database } from '../connection/database.ts'
import type { ContentPlace } from './content-place.ts'

/** How many objects are removed between two looks at what is left. */
const AT_ONCE = 100

/** Notes, in the transaction after which nothing names it, that an object goes. */
export const DROP_OBJECT = 'INSERT INTO holdfast.dropped_objects (object_id) VALUES ($1)'

const DROPPED = 'SELECT object_id AS "objectId" FROM holdfast.dropped_objects ORDER BY object_id LIMIT $1'

const REMOVED = 'DELETE FROM holdfast.dropped_objects WHERE object_id = $1'

/**
 * Removes from the bucket what nothing names any more. Its id never comes again, so that whoever removes it, and however
 * often, takes nothing that is named. [LOG33]
 *
 * @throws {StoreWriteError} when the bucket is away; what is left is removed the next time.
 */
export async function removeDropped(database: Database, bucket: Bucket): Promise<void> {
  for (;;) {
    const dropped = await database.read((sql) => sql<{ objectId: string }>(DROPPED, [AT_ONCE]))
    for (const { objectId } of dropped) {
      await bucket.remove(objectId)
      await database.writeOnce(REMOVED, [objectId])
    }
    if (dropped.length < AT_ONCE) return
  }
}

/** Removes them now if the bucket can be reached; otherwise with the next collection. */
export async function removeDroppedIfReached({ database, bucket }: ContentPlace): Promise<void> {
  if (!bucket) return
  try {
    await removeDropped(database, bucket)
  } catch (error) {
    if (!(error instanceof StoreWriteError || error instanceof StoreReadError)) throw error
  }
}
