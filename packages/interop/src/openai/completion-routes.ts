import { randomUUID } from 'node:crypto'
import type { EntryOf } from '@holdfast/conversation'
import { followTurn, readOverview } from '@holdfast/engine'
import { type OpenAiChatRequest, routes, type ServerFrame } from '@holdfast/protocol'
import { type ApiDeps, bindRoute, type Principal, RefusedError, startEventStream, TAKEN_OVER } from '@holdfast/server'
import { type AskedCompletion, historyId, toAskedCompletion, toSaidNow } from './asked-completion.ts'
import { type Completion, createCompletion } from './completion.ts'
import { createCompletionEvents } from './completion-events.ts'
import { findThread } from './find-thread.ts'
import { createThreads } from './threads.ts'

/** A message that is being answered. */
interface Place {
  readonly principal: Principal
  readonly conversationId: string
  readonly inputId: string
  readonly seq: number
}

type WaitsForPerson = EntryOf<'permission-requested'> | EntryOf<'question-asked'>

type Connection = Parameters<typeof startEventStream>[0]['reply']

/** Serves clients of OpenAI's chat completions: models, and answers, streamed or whole. */
export function bindOpenAi(api: ApiDeps): void {
  const { store, commands, clock, models } = api
  const threads = createThreads(api.records, clock.now)
  api.whenErased(({ userId, conversationId }) => threads.forget(userId, conversationId))

  bindRoute(api, routes.listModelsOfOpenAi, async ({ answer }) => {
    const data = models().providers.flatMap((provider) =>
      provider.models.map(({ id }) => ({ id, object: 'model' as const, created: 0, owned_by: provider.id })),
    )
    return answer(200, { object: 'list', data })
  })

  bindRoute(api, routes.completeChatOfOpenAi, async ({ body, principal, request, reply, answer }) => {
    const asked = toAskedCompletion(body)
    checkModel(body.model)
    const given = request.headers['idempotency-key']
    const key = typeof given === 'string' ? given.slice(0, 100) : randomUUID()
    if (body.stream === true) api.lines.enter(principal, reply.raw)
    const place = await ask(principal, { asked, body, key })
    reply.header('x-holdfast-conversation', place.conversationId)
    if (asked.ignored.length > 0) reply.header('x-holdfast-ignored', asked.ignored.join(', '))
    if (body.stream === true) {
      stream(reply, place, body)
      return TAKEN_OVER
    }
    const { text, usage, reason } = await whole(reply, place)
    return answer(200, {
      id: `chatcmpl-${place.inputId}`,
      object: 'chat.completion',
      created: nowSeconds(),
      model: body.model,
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: reason }],
      usage,
      conversation_id: place.conversationId,
    })
  })

  function nowSeconds(): number {
    return Math.floor(clock.now() / 1_000)
  }

  function checkModel(modelId: string): void {
    if (models().providers.some((provider) => provider.models.some(({ id }) => id === modelId))) return
    throw new RefusedError(404, 'unknown-model', `There is no model ${modelId}; GET …/openai/v1/models lists them`)
  }

  /** Sends what is asked to the conversation that holds its history. */
  async function ask(
    principal: Principal,
    { asked, body, key }: { asked: AskedCompletion; body: OpenAiChatRequest; key: string },
  ): Promise<Place> {
    const content = asked.content.slice()
    const conversation = await conversationOf(principal, { asked, body, key })
    const { conversationId } = conversation
    await setUp(principal, { conversationId, asked, modelId: body.model, key })
    const commandId = `openai:${key}`
    const { answer: sent } =
      conversation.rewindTo === null
        ? await commands.carryOut(principal, {
            type: 'command',
            name: 'send-message',
            commandId,
            conversationId,
            content,
            lane: 'turn',
          })
        : await commands.carryOut(principal, {
            type: 'command',
            name: 'rewind',
            commandId,
            conversationId,
            toSeq: conversation.rewindTo,
            reason: 'edit',
            content,
          })
    if (sent.inputId === null) throw new Error(`The rewind at ${sent.seq} of ${conversationId} asks nothing`)
    const place = { principal, conversationId, inputId: sent.inputId, seq: sent.seq }
    const id = historyId([...asked.history, ...toSaidNow(asked.content)])
    if (id !== null) await threads.keep(principal.userId, id, { conversationId, inputId: place.inputId })
    return place
  }

  async function conversationOf(
    principal: Principal,
    { asked, body, key }: { asked: AskedCompletion; body: OpenAiChatRequest; key: string },
  ): Promise<{ readonly conversationId: string; readonly rewindTo: number | null }> {
    const named = body.metadata?.['conversation_id']
    if (named !== undefined) {
      const { conversationId } = await commands.open(principal, { conversationId: named, modelId: body.model })
      return { conversationId, rewindTo: null }
    }
    if (asked.history.length === 0) {
      const made = await commands.carryOut(principal, {
        type: 'command',
        name: 'create-conversation',
        commandId: `openai:${key}:create`,
        modelId: body.model,
      })
      return { conversationId: made.conversationId, rewindTo: null }
    }
    const found = await findThread({ threads, store, userId: principal.userId }, asked.history)
    if (!found)
      throw new RefusedError(
        422,
        'bad-request',
        'What was said before is not of a conversation here, and is not believed: begin with a message of the user, or name a conversation with metadata.conversation_id',
      )
    return { conversationId: found.conversationId, rewindTo: found.wentOn ? found.endSeq : null }
  }

  /** The model and the instructions are settings of the conversation. */
  async function setUp(
    principal: Principal,
    {
      conversationId,
      asked: { instructions },
      modelId,
      key,
    }: { conversationId: string; asked: AskedCompletion; modelId: string; key: string },
  ): Promise<void> {
    const { settings } = (await readOverview(store, conversationId)).state
    const changes = {
      ...(instructions === null || settings.instructions === instructions ? {} : { instructions }),
      ...(settings.modelId === modelId ? {} : { modelId }),
    }
    if (Object.keys(changes).length === 0) return
    await commands.carryOut(principal, {
      type: 'command',
      name: 'change-settings',
      commandId: `openai:${key}:settings`,
      conversationId,
      settings: changes,
    })
  }

  /** Nobody can be asked over this protocol: what waits for a person is denied, and the model is told. */
  function completionOf({ principal, conversationId, inputId }: Place, onText: (text: string) => void): Completion {
    async function refuse(asked: WaitsForPerson): Promise<void> {
      if (asked.type === 'question-asked') {
        const { questionId } = asked
        const about = { type: 'question', questionId } as const
        await commands.denyUnattended(principal.userId, { commandId: `openai:${questionId}`, conversationId, about })
        return
      }
      const { requestId } = asked
      const about = { type: 'permission', requestId, reason: 'Nobody can be asked over this protocol.' } as const
      await commands.denyUnattended(principal.userId, { commandId: `openai:${requestId}`, conversationId, about })
    }

    return createCompletion({
      inputId,
      onText,
      onQuestion(asked) {
        // Another tab may have been faster: then there is nothing to answer any more.
        refuse(asked).catch(() => {})
      },
    })
  }

  /** A client that leaves wants no more of the answer: that is how this protocol stops. [STOP10] */
  function stopWhenLeft(reply: Connection, place: Place, completion: Completion): void {
    reply.raw.on('close', () => {
      if (completion.end()) return
      const runId = completion.runId()
      commands
        .carryOut(place.principal, {
          type: 'command',
          name: 'stop-run',
          commandId: `openai:stop:${place.inputId}`,
          conversationId: place.conversationId,
          ...(runId === null ? {} : { runId }),
        })
        .catch(() => {})
    })
  }

  async function whole(reply: Connection, place: Place) {
    const left = new AbortController()
    let text = ''
    const completion = completionOf(place, (words) => {
      text += words
    })
    stopWhenLeft(reply, place, completion)
    reply.raw.on('close', () => left.abort())
    const { conversationId, inputId, seq: admittedSeq } = place
    await followTurn(api, {
      conversationId,
      inputId,
      admittedSeq,
      signal: left.signal,
      onEntry: completion.takeEntry,
    })
    const end = completion.end()
    if (end?.type === 'finished') return { text, usage: end.usage, reason: end.reason }
    throw new RefusedError(503, 'not-ready', end?.words ?? 'The message was not answered')
  }

  function stream(reply: Connection, place: Place, body: OpenAiChatRequest): void {
    const events = createCompletionEvents({
      id: `chatcmpl-${place.inputId}`,
      created: nowSeconds(),
      model: body.model,
      withUsage: body.stream_options?.include_usage === true,
    })
    const completion = completionOf(place, events.onText)
    stopWhenLeft(reply, place, completion)
    const encoder = {
      headers: { 'x-accel-buffering': 'no' },
      encode(frame: ServerFrame) {
        completion.take(frame)
        return events.flush(frame, completion.end())
      },
      isDone: () => completion.end() !== null,
    }
    const { conversationId, seq: after } = place
    startEventStream({ ...api, reply, clock, conversationId, after, encoder })
  }
}
