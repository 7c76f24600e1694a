import { randomUUID } from 'node:crypto'
import { readOverview } from '@holdfast/engine'
import type { SentPart } from '@holdfast/protocol'
import { type ApiDeps, type Principal, RefusedError } from '@holdfast/server'
import { historyId, toSaidNow } from '../openai/asked-completion.ts'
import type { Threads } from '../openai/threads.ts'
import type { AskedResponse } from './asked-response.ts'
import type { ClientTools } from './client-tools.ts'
import type { Answering, AskedRequest, GoesOn, ResponsePlaces } from './response-places.ts'
import { contentOf } from './sent-content.ts'

interface AskDeps {
  readonly api: ApiDeps
  readonly places: ResponsePlaces
  readonly threads: Threads
  readonly clientTools: ClientTools
}

/** Does what a request asks for, and says from where its answer is told. */
export type AskResponse = (principal: Principal, request: AskedRequest) => Promise<Answering>

/** Sends messages, and what came of calls that a client ran. */
export function createAskResponse({ api, places, threads, clientTools }: AskDeps): AskResponse {
  const { store, commands, attachments } = api

  async function conversationOf(principal: Principal, request: AskedRequest): Promise<GoesOn & { isNew: boolean }> {
    const found = await places.goesOn(principal, request)
    if (found) return { ...found, isNew: false }
    const { conversationId } = await commands.carryOut(principal, {
      type: 'command',
      name: 'create-conversation',
      commandId: `responses:${request.key}:create`,
      modelId: request.body.model,
    })
    return { conversationId, rewindTo: null, isNew: true }
  }

  /** The model and the instructions are settings of the conversation. */
  async function setUp(principal: Principal, conversationId: string, { asked, body }: AskedRequest): Promise<void> {
    const { settings } = (await readOverview(store, conversationId)).state
    const { instructions } = asked
    const changes = {
      ...(instructions === null || settings.instructions === instructions ? {} : { instructions }),
      ...(settings.modelId === body.model ? {} : { modelId: body.model }),
    }
    if (Object.keys(changes).length === 0) return
    const commandId = `responses:${randomUUID()}`
    const command = { type: 'command', name: 'change-settings', commandId, conversationId } as const
    await commands.carryOut(principal, { ...command, settings: changes })
  }

  /** Goes on with the run that waits for its client. What it is told meanwhile joins before the next step. */
  async function answerCalls(
    principal: Principal,
    { conversationId, asked, sends }: { conversationId: string; asked: AskedResponse; sends: boolean },
  ): Promise<void> {
    const open = (await readOverview(store, conversationId)).state.runState.exclusive?.openCalls ?? []
    const handedOver = open.filter(({ handedOverAt }) => handedOverAt !== null)
    if (handedOver.length === 0) return
    const given = new Set(asked.results.map(({ callId }) => callId))
    const missing = handedOver.find(({ callId }) => !given.has(callId))
    if (missing && !sends)
      throw new RefusedError(
        400,
        'bad-request',
        `No tool output found for the call of ${missing.name}: send what came of each call`,
      )
    const commandId = `responses:${randomUUID()}`
    const { results } = asked
    await commands.answerCalls(principal, { commandId, conversationId, results, others: sends ? 'end' : 'leave' })
  }

  async function send(
    principal: Principal,
    { key, content, goesOn, asked }: { key: string; content: SentPart[]; goesOn: GoesOn; asked: AskedResponse },
  ): Promise<Answering> {
    const { conversationId, rewindTo } = goesOn
    const command = { type: 'command', commandId: `responses:${key}`, conversationId, content } as const
    const lane = asked.results.length > 0 ? ('steer' as const) : ('turn' as const)
    const { answer } =
      rewindTo === null
        ? await commands.carryOut(principal, { ...command, name: 'send-message', lane })
        : await commands.carryOut(principal, { ...command, name: 'rewind', toSeq: rewindTo, reason: 'edit' })
    if (answer.inputId === null) throw new Error(`The rewind at ${answer.seq} of ${conversationId} asks nothing`)
    const said = historyId([...asked.history, ...toSaidNow(content.filter(({ type }) => type !== 'quote'))])
    if (said !== null) await threads.keep(principal.userId, said, { conversationId, inputId: answer.inputId })
    return { conversationId, seq: answer.seq, told: { type: 'input', inputId: answer.inputId } }
  }

  async function askIn(
    principal: Principal,
    goesOn: GoesOn & { isNew: boolean },
    request: AskedRequest,
  ): Promise<Answering> {
    const { asked, key } = request
    const { conversationId } = goesOn
    const content = await contentOf(attachments, { userId: principal.userId, asked, isNew: goesOn.isNew })
    await setUp(principal, conversationId, request)
    const sent = content.length === 0 ? null : await send(principal, { key, content, goesOn, asked })
    await answerCalls(principal, { conversationId, asked, sends: sent !== null })
    if (sent) return sent
    const settled = await places.settled(conversationId, new Set(asked.results.map(({ callId }) => callId)))
    if (settled) return settled
    throw refused(
      'There is nothing to answer: the input has no message of the user, and nothing that came of a call here',
    )
  }

  return async (principal, request) => {
    const { asked } = request
    if (asked.content.length === 0 && asked.results.length === 0)
      throw refused('There is nothing to answer: the input has no new message of the user')
    const goesOn = await conversationOf(principal, request)
    const offer = asked.tools === null ? null : clientTools.offer(goesOn.conversationId, asked.tools)
    try {
      const answering = await askIn(principal, goesOn, request)
      offer?.holdsFor(answering.told.type === 'input' ? answering.told.inputId : answering.told.runId)
      return answering
    } catch (error) {
      offer?.withdraw()
      throw error
    }
  }
}

function refused(words: string): RefusedError {
  return new RefusedError(422, 'bad-request', words)
}
