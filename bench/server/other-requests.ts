import { Agent, get } from 'node:http'
import { setTimeout as passed } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import * as z from 'zod'
import { passedMs, threadTimesOf } from './thread-times.ts'

/**
 * Somebody else: asks for the list of their conversations again and again, in a thread of its own, and says how long each
 * request took, and what the threads of the server did meanwhile.
 */

/** Between two requests, in milliseconds. */
const PAUSE_MS = 2

const { url, token, pid } = z.object({ url: z.string(), token: z.string(), pid: z.number() }).parse(workerData)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let times: { readonly wallMs: number; readonly mainMs: number; readonly storeMs: number }[] = []

/** What was taken until now is told, and counted anew. */
parentPort?.on('message', () => {
  const taken = times
  times = []
  parentPort?.postMessage(taken)
})

for (;;) {
  const before = threadTimesOf(pid)
  const from = performance.now()
  await asked()
  const wallMs = performance.now() - from
  const { main, workers } = passedMs(before, threadTimesOf(pid))
  times.push({ wallMs, mainMs: main, storeMs: workers })
  await passed(PAUSE_MS)
}

function asked(): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    get(`${url}/api/v1/conversations?limit=5&archived=true`, { agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', resolve)
    }).on('error', reject)
  })
}
