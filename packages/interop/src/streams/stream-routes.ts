import { createHash, randomInt } from 'node:crypto'
import { type Entry, PAGE_BYTES } from '@holdfast/conversation'
import { routes } from '@holdfast/protocol'
import { type ApiDeps, awaitEntries, bindRoute, type Principal, startEventStream, TAKEN_OVER } from '@holdfast/server'
import { createStreamEvents } from './stream-events.ts'
import { nextCursor, offsetOf, seqOf } from './stream-place.ts'

/** How long a request waits for what comes, in milliseconds. */
const LONG_POLL_MS = 20_000

/** As many entries an answer holds at most. */
const PAGE_ENTRIES = 500

type Reply = Parameters<typeof startEventStream>[0]['reply']

/** Serves the read path of Durable Streams over the log of a conversation. What is erased is read as erased: its tag changes with it. */
export function bindStreams(api: ApiDeps): void {
  const { store, clock } = api

  const pageAfter = (conversationId: string, after: number) =>
    store.read({ conversationId, after, limit: PAGE_ENTRIES, maxBytes: PAGE_BYTES })

  const headOf = async (conversationId: string) => (await store.read({ conversationId, before: 1, limit: 1 })).head

  bindRoute(api, routes.readStream, async ({ params: { id }, query, request, reply, principal, answer }) => {
    const wanted = seqOf(query.offset)
    const cursor = () => nextCursor(query.cursor, { now: clock.now(), ahead: randomInt })
    reply.header('cross-origin-resource-policy', 'same-origin')
    if (request.method === 'HEAD') {
      tellPlace(reply, await headOf(id), null)
      return answer(200, [])
    }
    const after = wanted ?? (await headOf(id))
    if (query.live === 'sse') {
      follow({ reply, principal, conversationId: id, after, cursor })
      return TAKEN_OVER
    }
    if (query.live === undefined && wanted === null) {
      tellPlace(reply, after, after)
      return answer(200, [])
    }
    const page = query.live === 'long-poll' ? await pageOrWait(reply, principal, id, after) : await pageAfter(id, after)
    const end = page.entries.at(-1)?.seq ?? Math.max(after, page.head)
    tellPlace(reply, end, page.head)
    if (query.live === 'long-poll') {
      reply.header('stream-cursor', cursor())
      if (page.entries.length === 0) return answer(204, undefined)
    }
    const tag = tagOf(after, page.entries)
    reply.header('etag', tag)
    if (request.headers['if-none-match'] === tag) return answer(304, undefined)
    return answer(200, page.entries.slice())
  })

  /** The entries after a place, and where there are none, those that come in time. */
  async function pageOrWait(reply: Reply, principal: Principal, conversationId: string, after: number) {
    const page = await pageAfter(conversationId, after)
    if (page.entries.length > 0) return page
    api.lines.enter(principal, reply.raw)
    await awaitEntries({ ...api, conversationId, after, limitMs: LONG_POLL_MS, line: reply.raw })
    return pageAfter(conversationId, after)
  }

  function follow({
    reply,
    principal,
    conversationId,
    after,
    cursor,
  }: {
    readonly reply: Reply
    readonly principal: Principal
    readonly conversationId: string
    readonly after: number
    readonly cursor: () => string
  }): void {
    api.lines.enter(principal, reply.raw)
    const events = createStreamEvents({ after, cursor, now: clock.now })
    const encoder = { headers: { 'x-accel-buffering': 'no' }, encode: events.encode, isDone: events.isDone }
    startEventStream({ ...api, reply, clock, conversationId, after, keptOnly: true, encoder })
  }
}

function tellPlace(reply: Reply, end: number, head: number | null): void {
  reply.header('stream-next-offset', offsetOf(end))
  if (head !== null && end >= head) reply.header('stream-up-to-date', 'true')
}

/** Says what an answer holds: other content, an erased entry among it, is another tag. */
function tagOf(after: number, entries: readonly Entry[]): string {
  const hash = createHash('sha256').update(JSON.stringify(entries)).digest('base64url').slice(0, 22)
  return `"${offsetOf(after)}:${hash}"`
}
