import type { EntryOf } from '@holdfast/conversation'
import type { ResponseObject, ServerFrame } from '@holdfast/protocol'
import { type ApiDeps, awaitEntries, type Principal, startEventStream, TAKEN_OVER } from '@holdfast/server'
import { createResponseEvents, type ResponseEvents } from './response-events.ts'
import { type ResponseHead, toResponseObject } from './response-object.ts'
import type { Answering } from './response-places.ts'

type Reply = Parameters<typeof startEventStream>[0]['reply']

/** An answer that is told, to whom. */
export interface Telling {
  readonly principal: Principal
  readonly answering: Answering
  readonly head: ResponseHead
  readonly startingAfter: number | null
  /** Whether it is told to who asks for it: over this protocol nobody can be asked, so that what would ask is denied. */
  readonly isAsking: boolean
}

/** Tells answers. A client that leaves stops nothing. [STOP10] */
export interface ResponseTeller {
  /** The run of an answer that has begun and is not over; null for any other. */
  runningRunOf(telling: Telling): Promise<string | null>
  /** The answer as it is, or, where it is waited for, when it is over or its client has left. */
  whole(reply: Reply, telling: Telling, waits: boolean): Promise<ResponseObject>
  stream(reply: Reply, telling: Telling): typeof TAKEN_OVER
}

/** How long a wait for the next entry takes before the line is looked at again, in milliseconds. */
const WAIT_MS = 20_000

const PAGE = 500

/** Tells the answers of a server. */
export function createResponseTeller(api: ApiDeps): ResponseTeller {
  const { store, commands, clock } = api

  function eventsOf({ principal, answering, head, startingAfter, isAsking }: Telling): ResponseEvents {
    const { conversationId, told } = answering
    async function refuse(asked: EntryOf<'permission-requested'> | EntryOf<'question-asked'>): Promise<void> {
      const about =
        asked.type === 'question-asked'
          ? ({ type: 'question', questionId: asked.questionId } as const)
          : ({
              type: 'permission',
              requestId: asked.requestId,
              reason: 'Nobody can be asked over this protocol.',
            } as const)
      const commandId = `responses:${asked.type === 'question-asked' ? asked.questionId : asked.requestId}`
      await commands.denyUnattended(principal.userId, { commandId, conversationId, about })
    }
    return createResponseEvents({
      conversationId,
      told,
      startingAfter,
      toResponse: (state) => toResponseObject(head, state),
      // Another tab may have been faster: then there is nothing to answer any more.
      onQuestion: (asked) => void (isAsking && refuse(asked).catch(() => {})),
    })
  }

  /** Takes all that the log has of an answer. @returns where it ends by now. */
  async function readAll({ answering: { conversationId, seq } }: Telling, events: ResponseEvents): Promise<number> {
    for (let after = seq; ; ) {
      const { entries } = await store.read({ conversationId, after, limit: PAGE })
      for (const entry of entries) events.takeEntry(entry)
      after = entries.at(-1)?.seq ?? after
      if (entries.length < PAGE || events.isDone()) return after
    }
  }

  async function whole(reply: Reply, telling: Telling, waits: boolean): Promise<ResponseObject> {
    const events = eventsOf(telling)
    const { conversationId } = telling.answering
    for (let place = telling.answering; ; ) {
      const after = await readAll({ ...telling, answering: place }, events)
      if (!waits || events.isDone() || reply.raw.destroyed) break
      place = { ...place, seq: after }
      await awaitEntries({ ...api, conversationId, after, limitMs: WAIT_MS, line: reply.raw })
    }
    return toResponseObject(telling.head, events.state())
  }

  function stream(reply: Reply, telling: Telling): typeof TAKEN_OVER {
    const events = eventsOf(telling)
    const encoder = {
      headers: { 'x-accel-buffering': 'no' },
      encode(frame: ServerFrame) {
        const told = events.take(frame).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        // What keeps a silent stream from being taken for a dead one: a comment, which no client reads.
        return told.join('') || (frame.type === 'caught-up' ? ': waiting\n\n' : '')
      },
      isDone: events.isDone,
    }
    const { conversationId, seq: after } = telling.answering
    startEventStream({ ...api, reply, clock, conversationId, after, encoder })
    return TAKEN_OVER
  }

  return {
    whole,
    stream,
    async runningRunOf(telling) {
      const events = eventsOf(telling)
      await readAll(telling, events)
      return events.isDone() ? null : events.runId()
    },
  }
}
