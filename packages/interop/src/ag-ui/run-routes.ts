import { UnknownConversationError } from '@holdfast/engine'
import { routes, type ServerFrame } from '@holdfast/protocol'
import { type ApiDeps, bindRoute, RefusedError, startEventStream, TAKEN_OVER } from '@holdfast/server'
import { createMessageStream } from '../ai-sdk/message-stream.ts'
import { type Chat, createPlaces, type Place } from '../places.ts'
import { type AskedRun, ignoredIn, toAskedRun } from './asked-run.ts'
import { createRunEvents } from './run-events.ts'

/** Serves clients of AG-UI: a message, what waits for a person, and what runs, each told as a run. */
export function bindAgUi(api: ApiDeps): void {
  const { commands, clock } = api
  const places = createPlaces(api)

  async function placeOf(chat: Chat, asked: AskedRun): Promise<Place> {
    switch (asked.type) {
      case 'send':
        await commands.open(chat.principal, { conversationId: chat.conversationId })
        return places.send(chat, asked)
      case 'answer':
        await owned(chat)
        return places.answerWaiting(chat, asked.answers)
      case 'follow': {
        await owned(chat)
        const place = await places.open(chat.conversationId)
        if (place) return place
        throw new RefusedError(409, 'nothing-runs', 'The last message is none of the user, and nothing runs')
      }
    }
  }

  async function owned({ principal, conversationId }: Chat): Promise<void> {
    try {
      await commands.owned(principal.userId, conversationId)
    } catch (error) {
      if (!(error instanceof UnknownConversationError)) throw error
      throw new RefusedError(404, 'not-found', `There is no conversation ${conversationId}`)
    }
  }

  bindRoute(api, routes.runOfAgUi, async ({ body, principal, reply }) => {
    const asked = toAskedRun(body)
    const { threadId, runId } = body
    api.lines.enter(principal, reply.raw)
    const { told, after } = await placeOf({ principal, conversationId: threadId }, asked)
    const stream = createMessageStream(threadId, told)
    const events = createRunEvents(stream, { threadId, runId, ignored: ignoredIn(body) })
    const encoder = {
      headers: { 'x-accel-buffering': 'no' },
      encode(frame: ServerFrame) {
        const written = events.take(frame).map((event) => `data: ${JSON.stringify(event)}\n\n`)
        // What keeps a silent stream from being taken for a dead one: a comment, which no client reads.
        return written.join('') || (frame.type === 'caught-up' ? ': waiting\n\n' : '')
      },
      isDone: events.isDone,
    }
    startEventStream({ ...api, reply, clock, conversationId: threadId, after, encoder })
    return TAKEN_OVER
  })
}
