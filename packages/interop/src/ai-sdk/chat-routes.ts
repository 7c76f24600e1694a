import type { Overview } from '@holdfast/conversation'
import { readOverview, UnknownConversationError } from '@holdfast/engine'
import { type AiSdkChatRequest, routes, type ServerFrame } from '@holdfast/protocol'
import { type ApiDeps, bindRoute, RefusedError, startEventStream, TAKEN_OVER } from '@holdfast/server'
import { findExchange } from '../exchanges.ts'
import { type Chat, createPlaces, type Place } from '../places.ts'
import { type Asked, againCommandId, editCommandId, isOfMessage, toAsked } from './asked.ts'
import { createMessageStream } from './message-stream.ts'
import { heartbeatOf, toEventText, UI_STREAM_HEADERS } from './ui-events.ts'

/** Whether both are the same words and nothing else. */
function isSameText(said: Parts, again: Parts): boolean {
  return (
    said.length === again.length &&
    said.every(
      (part, index) => part.type === 'text' && again[index]?.type === 'text' && part.text === again[index].text,
    )
  )
}

type Parts = readonly { readonly type: string; readonly text?: string }[]

/** Serves `useChat`: send, edit, regenerate, answer what waits, resume, stop. */
export function bindAiSdk(api: ApiDeps): void {
  const { store, commands, clock } = api
  const places = createPlaces(api)

  const overviewOf = async (conversationId: string): Promise<Overview> =>
    (await readOverview(store, conversationId)).state

  async function placeOf(chat: Chat, asked: Asked): Promise<Place> {
    switch (asked.type) {
      case 'send':
        return places.send(chat, asked)
      case 'edit':
        return edit(chat, asked)
      case 'regenerate':
        return regenerate(chat, asked.messageId)
      case 'answer':
        return places.answerWaiting(chat, asked.answers)
    }
  }

  /** The message goes to another form; what followed it is set aside. The same form once more is told again. */
  async function edit(chat: Chat, { messageId, content }: Asked & { type: 'edit' }): Promise<Place> {
    const { principal, conversationId } = chat
    const { path } = await overviewOf(conversationId)
    const looked = { store, conversationId, path }
    const found = await findExchange(looked, ({ commandId }) => isOfMessage(commandId, messageId))
    if (!found) throw new RefusedError(404, 'not-found', `There is no message ${messageId} on the path`)
    const commandId = editCommandId(messageId, content)
    // The newest message in its own words is what a client sends again after its line broke. [SYNC2]
    const isUnchanged = found.isNewest && found.commandId === messageId && isSameText(found.content, content)
    if (found.commandId === commandId || isUnchanged)
      return { told: { type: 'input', inputId: found.inputId }, after: found.admittedSeq }
    const { answer } = await commands.carryOut(principal, {
      type: 'command',
      name: 'rewind',
      commandId,
      conversationId,
      toSeq: found.previousEndSeq,
      reason: 'edit',
      content: content.slice(),
    })
    return rewound(chat, answer)
  }

  async function regenerate(chat: Chat, messageId: string | null): Promise<Place> {
    const { principal, conversationId } = chat
    const { path } = await overviewOf(conversationId)
    const found = await findExchange(
      { store, conversationId, path },
      ({ runId, commandId }) => messageId === null || runId === messageId || isOfMessage(commandId, messageId),
    )
    if (!found)
      throw new RefusedError(404, 'not-found', 'There is no such message on the path that could be answered again')
    const { answer } = await commands.carryOut(principal, {
      type: 'command',
      name: 'rewind',
      commandId: againCommandId(found),
      conversationId,
      toSeq: found.previousEndSeq,
      reason: 'retry',
    })
    return rewound(chat, answer)
  }

  function rewound({ conversationId }: Chat, { seq, inputId }: { seq: number; inputId: string | null }): Place {
    if (inputId === null) throw new Error(`The rewind at ${seq} of ${conversationId} asks nothing`)
    return { told: { type: 'input', inputId }, after: seq }
  }

  function stream(reply: Parameters<typeof startEventStream>[0]['reply'], conversationId: string, place: Place): void {
    const message = createMessageStream(conversationId, place.told)
    const encoder = {
      headers: UI_STREAM_HEADERS,
      encode: (frame: ServerFrame) => toEventText(message.take(frame), message.isDone()) || heartbeatOf(frame),
      isDone: message.isDone,
    }
    startEventStream({ ...api, reply, clock, conversationId, after: place.after, encoder })
  }

  async function ownedOrNull(userId: string, conversationId: string) {
    try {
      return await commands.owned(userId, conversationId)
    } catch (error) {
      if (error instanceof UnknownConversationError) return null
      throw error
    }
  }

  bindRoute(api, routes.chatOfAiSdk, async ({ body, principal, reply }) => {
    const asked = toAsked(body)
    api.lines.enter(principal, reply.raw)
    const chat = { principal, conversationId: body.id }
    await openFor(chat, body, asked)
    stream(reply, body.id, await placeOf(chat, asked))
    return TAKEN_OVER
  })

  /** Only what is sent makes a conversation. */
  async function openFor({ principal, conversationId }: Chat, { modelId }: AiSdkChatRequest, { type }: Asked) {
    if (type !== 'send') return commands.owned(principal.userId, conversationId)
    return commands.open(principal, { conversationId, ...(modelId === undefined ? {} : { modelId }) })
  }

  bindRoute(api, routes.resumeChatOfAiSdk, async ({ params: { id }, userId, principal, reply, answer }) => {
    // A page that has just begun asks before it has sent anything: that is no mistake.
    const place = (await ownedOrNull(userId, id)) && (await places.open(id))
    if (!place) return answer(204, undefined)
    api.lines.enter(principal, reply.raw)
    stream(reply, id, place)
    return TAKEN_OVER
  })

  bindRoute(api, routes.stopChatOfAiSdk, async ({ params: { id }, principal, answer }) => {
    const { head, runState } = await overviewOf(id)
    const commandId = `stop:${runState.exclusive?.runId ?? head}`
    const stop = { type: 'command', name: 'stop-run', commandId, conversationId: id } as const
    const { runId, accepted } = (await commands.carryOut(principal, stop)).answer
    return answer(200, { runId, accepted })
  })
}
