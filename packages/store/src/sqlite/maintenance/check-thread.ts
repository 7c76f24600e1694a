import type { MessagePort } from 'node:worker_threads'
import { createBucket } from '../../bucket/bucket.ts'
import { type BucketContent, noBucket, readContent } from '../../bucket/contents.ts'
import { openForReading } from '../files/connection.ts'
import type { StoreFiles } from '../files/files.ts'
import type { ThreadOptions } from '../messages/thread-messages.ts'
import { checkStore } from './check-store.ts'
import { runMaintenance } from './maintenance-thread.ts'

/** Runs the thread of one check. */
export function runCheckThread(port: MessagePort, files: StoreFiles, options: ThreadOptions): void {
  runMaintenance<null>(port, files, async (_, signal) => {
    const database = openForReading(files, options)
    try {
      return await checkStore(database, { signal, readObject: objectReader(options) })
    } finally {
      database.close()
    }
  })
}

/** What is in a bucket that nobody has set up can be neither good nor bad. */
function objectReader({ bucket }: ThreadOptions): (content: BucketContent) => AsyncIterable<Uint8Array> {
  const opened = bucket ? createBucket(bucket) : null
  return (content) => {
    if (!opened) throw noBucket(content.hash)
    return readContent(opened, content)
  }
}
