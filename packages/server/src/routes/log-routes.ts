import { type Clock, type EntryStore, PAGE_BYTES, type SnapshotStore } from '@holdfast/conversation'
import type { Engine, LiveBus } from '@holdfast/engine'
import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute, TAKEN_OVER } from '../door/bind-route.ts'
import { PLAIN_EVENTS, startEventStream } from '../live/event-stream.ts'
import type { LineLimits } from '../live/outlet.ts'
import type { Diagnostics } from '../parts/diagnostics.ts'
import { RefusedError } from '../parts/to-problem.ts'
import { readTranscript } from './reading/read-transcript.ts'

/** What reads and follows the log of one conversation. */
export interface LogRoutesDeps extends BindDeps {
  readonly store: Pick<EntryStore, 'read' | 'readText' | 'readDrafts' | 'readableEntries'> & SnapshotStore
  readonly bus: LiveBus
  readonly engine: Engine
  readonly clock: Clock
  readonly limits: LineLimits
  readonly log: Diagnostics
}

/** Serves the entries of a conversation, read or followed, and its transcript. */
export function bindLog({ store, bus, engine, clock, limits, log, ...deps }: LogRoutesDeps): void {
  bindRoute(deps, routes.readEntries, async ({ params, query, request, reply, principal, answerText }) => {
    const { after, before, limit, live, drafts } = query
    if (after !== undefined && before !== undefined) {
      throw new RefusedError(400, 'bad-request', 'A page is read after a place or before it, not both')
    }
    if (live === 'sse') {
      const resumed = Number(request.headers['last-event-id'] ?? after ?? 0)
      if (!Number.isSafeInteger(resumed) || resumed < 0) {
        throw new RefusedError(400, 'bad-request', 'Last-Event-ID is the seq of an entry')
      }
      deps.lines.enter(principal, reply.raw)
      const place = { conversationId: params.id, after: resumed, keptOnly: drafts === 'kept' }
      startEventStream({ reply, clock, limits, bus, store, engine, encoder: PLAIN_EVENTS, ...place })
      return TAKEN_OVER
    }
    const page = await store.readText({
      conversationId: params.id,
      limit,
      maxBytes: PAGE_BYTES,
      ...(before === undefined ? { after: after ?? 0 } : { before }),
    })
    return answerText(200, page)
  })

  bindRoute(deps, routes.readTranscript, async ({ params, query, answer }) => {
    const { items, head } = await readTranscript(
      { store, log },
      { conversationId: params.id, before: query.before ?? null, limit: query.limit },
    )
    return answer(200, { items: items.slice(), head })
  })
}
