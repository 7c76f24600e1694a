import { randomUUID } from 'node:crypto'
import type { EntryOf } from '@holdfast/conversation'
import { type ResponseObject, type ResponseRequest, routes, type ServerFrame } from '@holdfast/protocol'
import {
  type ApiDeps,
  awaitEntries,
  bindRoute,
  type Principal,
  RefusedError,
  startEventStream,
  TAKEN_OVER,
} from '@holdfast/server'
import { createThreads } from '../openai/threads.ts'
import { createAskResponse } from './ask-response.ts'
import { toAskedResponse } from './asked-response.ts'
import type { ClientTools } from './client-tools.ts'
import { createResponseEvents, type ResponseEvents } from './response-events.ts'
import { responseIdOf } from './response-ids.ts'
import { type ResponseHead, toResponseObject } from './response-object.ts'
import { type Answering, createResponsePlaces } from './response-places.ts'

type Reply = Parameters<typeof startEventStream>[0]['reply']

/** An answer that is told, to whom. */
interface Telling {
  readonly principal: Principal
  readonly answering: Answering
  readonly head: ResponseHead
  readonly startingAfter: number | null
}

/** How long a wait for the next entry takes before the line is looked at again, in milliseconds. */
const WAIT_MS = 20_000

const PAGE = 500

/** Serves clients of OpenAI's Responses: answers, streamed or whole, with tools of the client; asked for again, and stopped. */
export function bindResponses(clientTools: ClientTools): (api: ApiDeps) => void {
  return (api) => {
    const { store, commands, clock, models, records } = api
    const threads = createThreads(records, clock.now)
    const places = createResponsePlaces(api, threads)
    const ask = createAskResponse({ api, places, threads, clientTools })
    const nowSeconds = (): number => Math.floor(clock.now() / 1_000)

    function checkModel(modelId: string): void {
      if (models().providers.some((provider) => provider.models.some(({ id }) => id === modelId))) return
      throw new RefusedError(404, 'unknown-model', `There is no model ${modelId}; GET …/openai/v1/models lists them`)
    }

    bindRoute(api, routes.respondOfOpenAi, async ({ body, principal, request, reply, answer }) => {
      const asked = toAskedResponse(body)
      checkModel(body.model)
      const key = headerOf(request.headers['idempotency-key']) ?? asked.messageId ?? randomUUID()
      if (body.stream === true) api.lines.enter(principal, reply.raw)
      const named = headerOf(request.headers['x-holdfast-conversation'])
      const answering = await ask(principal, { asked, body, key, named })
      reply.header('x-holdfast-conversation', answering.conversationId)
      if (asked.ignored.length > 0) reply.header('x-holdfast-ignored', asked.ignored.join(', ').replace(/[^ -~]/g, '?'))
      const telling = { principal, answering, head: headOf(answering, body), startingAfter: null }
      if (body.stream === true) return stream(reply, telling)
      return answer(200, await whole(reply, telling, body.background !== true))
    })

    bindRoute(api, routes.readResponseOfOpenAi, async ({ params, query, principal, reply, answer }) => {
      const answering = await places.find(principal.userId, params.responseId)
      const startingAfter = query.starting_after ?? null
      const telling = { principal, answering, head: headOf(answering, null), startingAfter }
      if (query.stream !== 'true') return answer(200, await whole(reply, telling, false))
      api.lines.enter(principal, reply.raw)
      return stream(reply, telling)
    })

    bindRoute(api, routes.cancelResponseOfOpenAi, async ({ params, principal, reply, answer }) => {
      const answering = await places.find(principal.userId, params.responseId)
      const { conversationId } = answering
      const telling = { principal, answering, head: headOf(answering, null), startingAfter: null }
      const events = eventsOf(telling)
      await readAll(telling, events)
      const runId = events.runId()
      if (!events.isDone() && runId !== null) {
        const commandId = `responses:stop:${runId}`
        await commands.carryOut(principal, { type: 'command', name: 'stop-run', commandId, conversationId, runId })
      }
      return answer(200, await whole(reply, telling, runId !== null))
    })

    function headOf(answering: Answering, body: ResponseRequest | null): ResponseHead {
      const { conversationId } = answering
      // An answer that is not to be kept cannot be asked for: its id names no place.
      const id = body?.store === false ? `resp_${randomUUID()}` : responseIdOf(answering)
      return { id, conversationId, createdAt: nowSeconds(), modelId: body?.model ?? '', body, now: nowSeconds }
    }

    function eventsOf({ principal, answering, head, startingAfter }: Telling): ResponseEvents {
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
        onQuestion: (asked) => void refuse(asked).catch(() => {}),
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

    /** The answer as it is, or, where it is waited for, when it is over. A client that leaves stops nothing. [STOP10] */
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
  }
}

function headerOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null
}
