import { Worker } from 'node:worker_threads'
import { unlessAborted } from '@holdfast/conversation'
import * as z from 'zod'
import { PageRefusal } from './page-address.ts'
import type { HtmlPage, PageText } from './page-parts.ts'

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const Read = z.object({ title: z.string(), text: z.string() })
/** Megabytes of a thread; a page that needs more ends its thread and nothing else. */
const MEMORY_MB = 256

/**
 * Reads HTML in a thread of its own: a page that is made to take for ever, or all of the memory, costs its own
 * call only. [WS5, TOOL5]
 *
 * @throws {PageRefusal} when the page cannot be read.
 */
export async function readHtml(page: HtmlPage, signal: AbortSignal): Promise<PageText> {
  signal.throwIfAborted()
  const worker = new Worker(new URL(`./html-thread${EXTENSION}`, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const { promise, resolve, reject } = Promise.withResolvers<PageText>()
  const refuse = (cause: unknown) =>
    reject(new PageRefusal('unreadable', `The page ${page.address} is built so that it cannot be read.`, { cause }))
  worker.once('message', (message) => resolve(Read.parse(message)))
  worker.once('error', refuse)
  worker.once('exit', refuse)
  try {
    worker.postMessage(page)
    return await unlessAborted(promise, signal)
  } finally {
    await worker.terminate()
  }
}
