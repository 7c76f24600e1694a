import { readOverview, UnknownConversationError } from '@holdfast/engine'
import type { ResponseRequest } from '@holdfast/protocol'
import { type ApiDeps, type Principal, RefusedError } from '@holdfast/server'
import { endOfRun, findExchange, lastSettled, runOfStep } from '../exchanges.ts'
import { findThread } from '../openai/find-thread.ts'
import type { Threads } from '../openai/threads.ts'
import type { AskedResponse } from './asked-response.ts'
import type { ToldPart } from './response-events.ts'
import { placeOf, type ResponsePlace } from './response-ids.ts'

/** Where an answer is told from. */
export interface Answering extends ResponsePlace {
  readonly told: ToldPart
}

/** The conversation that goes on. */
export interface GoesOn {
  readonly conversationId: string
  /** The end of the exchange that is gone on from, where something was said after it; else null. */
  readonly rewindTo: number | null
}

/** Finds what clients of Responses name. */
export interface ResponsePlaces {
  /**
   * The conversation that a request goes on with; null where it begins one.
   *
   * @throws {RefusedError} for an answer that there is not.
   */
  goesOn(principal: Principal, asked: AskedRequest): Promise<GoesOn | null>
  /** An answer by its id. @throws {RefusedError} when there is none, or it is another's. */
  find(userId: string, responseId: string): Promise<Answering>
  /** The run of an answer that waits for what its client does; null where it does not. [TOOL18] */
  parkedRunOf(answering: Answering): Promise<string | null>
  /** Where what came of these calls was written down; null where none of them is over. */
  settled(conversationId: string, callIds: ReadonlySet<string>): Promise<Answering | null>
}

/** What is asked, as it came and as it was read. */
export interface AskedRequest {
  readonly asked: AskedResponse
  readonly body: ResponseRequest
  /** Names the request: the same one again asks nothing twice. */
  readonly key: string
  /** The conversation that a header names; null for none. */
  readonly named: string | null
}

/** The places of the conversations of a server. */
export function createResponsePlaces({ store, commands }: ApiDeps, threads: Threads): ResponsePlaces {
  async function lookedIn(conversationId: string) {
    const { path } = (await readOverview(store, conversationId)).state
    return { store, conversationId, path }
  }

  async function isOwned(userId: string, conversationId: string): Promise<boolean> {
    try {
      await commands.owned(userId, conversationId)
      return true
    } catch (error) {
      if (error instanceof UnknownConversationError) return false
      throw error
    }
  }

  /** Null where the run is not on the path any more. */
  async function after(conversationId: string, runId: string | null): Promise<GoesOn | null> {
    if (runId === null) return null
    const looked = await lookedIn(conversationId)
    const found = await findExchange(looked, (message) => message.runId === runId)
    if (!found) return null
    return { conversationId, rewindTo: found.isNewest ? null : await endOfRun(looked, runId) }
  }

  /** What stands at the place of an answer; null where no answer begins there. */
  async function toldAt({ conversationId, seq }: ResponsePlace): Promise<ToldPart | null> {
    const { entries } = await store.read({ conversationId, after: seq - 1, limit: 3 })
    const [first, second] = entries
    const begun = first?.type === 'path-rewound' ? second : first
    if (begun?.type === 'input-admitted') return { type: 'input', inputId: begun.inputId }
    return begun?.type === 'tool-call-settled' ? { type: 'run', runId: begun.runId } : null
  }

  async function runOf({ conversationId, told }: Answering): Promise<string | null> {
    if (told.type === 'run') return told.runId
    const looked = await lookedIn(conversationId)
    return (await findExchange(looked, (message) => message.inputId === told.inputId))?.runId ?? null
  }

  async function find(userId: string, responseId: string): Promise<Answering> {
    const place = placeOf(responseId)
    const told = place !== null && (await isOwned(userId, place.conversationId)) ? await toldAt(place) : null
    if (place === null || told === null)
      throw new RefusedError(404, 'not-found', `There is no response ${responseId.slice(0, 200)}`)
    return { ...place, told }
  }

  return {
    find,
    async goesOn({ userId, ...principal }, { asked, body, named }) {
      if (body.previous_response_id != null) {
        const answering = await find(userId, body.previous_response_id)
        const found = await after(answering.conversationId, await runOf(answering))
        if (found) return found
        throw new RefusedError(404, 'not-found', 'What the previous response said is not on the path any more')
      }
      const { conversation } = body
      const given = typeof conversation === 'string' ? conversation : conversation?.id
      const conversationId = given ?? body.metadata?.['conversation_id'] ?? named
      if (conversationId !== null) {
        await commands.open({ userId, ...principal }, { conversationId, modelId: body.model })
        return { conversationId, rewindTo: null }
      }
      const { newest, history } = asked
      if (newest && (await isOwned(userId, newest.conversationId))) {
        const runId = await runOfStep(await lookedIn(newest.conversationId), newest.stepId)
        const found = await after(newest.conversationId, runId)
        if (found) return found
      }
      const thread = await findThread({ threads, store, userId }, history)
      return thread && { conversationId: thread.conversationId, rewindTo: thread.wentOn ? thread.endSeq : null }
    },
    async parkedRunOf(answering) {
      const { exclusive } = (await readOverview(store, answering.conversationId)).state.runState
      if (exclusive === null || exclusive.openCalls.every(({ handedOverAt }) => handedOverAt === null)) return null
      return exclusive.runId === (await runOf(answering)) ? exclusive.runId : null
    },
    async settled(conversationId, callIds) {
      const found = await lastSettled(await lookedIn(conversationId), callIds)
      return found && { conversationId, seq: found.seq, told: { type: 'run', runId: found.runId } }
    },
  }
}
