import { Worker } from 'node:worker_threads'

/** Somebody who swaps a folder for a link, again and again. */
export interface Swapper {
  count(): number
  stop(): Promise<void>
}

/** In a thread of its own, so that it strikes between any two system calls of ours. */
const SWAPPING = `
const { renameSync, rmSync } = require('node:fs')
const { workerData } = require('node:worker_threads')
const { root, shared } = workerData
const numbers = new Int32Array(shared)
function intoPlace(name) {
  for (;;) {
    try {
      return renameSync(root + name, root + '/swap')
    } catch (error) {
      // A call that writes has made the folder that was missing for a moment, and may be writing into it.
      if (error.code !== 'EISDIR' && error.code !== 'ENOTEMPTY') throw error
      try {
        rmSync(root + '/swap', { recursive: true, force: true })
      } catch (busy) {
        if (busy.code !== 'ENOTEMPTY') throw busy
      }
    }
  }
}
while (Atomics.load(numbers, 0) === 0) {
  renameSync(root + '/swap', root + '/real')
  intoPlace('/evil')
  renameSync(root + '/swap', root + '/evil')
  intoPlace('/real')
  Atomics.add(numbers, 1, 1)
  // Long enough in place that half of the calls find the folder.
  const until = process.hrtime.bigint() + BigInt(Math.floor(Math.random() * 300000))
  while (process.hrtime.bigint() < until) {}
}
`

/** Swaps `swap` (a folder) for `evil` (a link) in a folder until it is stopped. */
export async function startSwapping(root: string): Promise<Swapper> {
  const shared = new SharedArrayBuffer(8)
  const numbers = new Int32Array(shared)
  const worker = new Worker(SWAPPING, { eval: true, workerData: { root, shared } })
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('exit', () => resolve())
    worker.once('error', reject)
  })
  await new Promise<void>((resolve) => worker.once('online', resolve))
  return {
    count: () => Atomics.load(numbers, 1),
    async stop() {
      Atomics.store(numbers, 0, 1)
      await ended
    },
  }
}
