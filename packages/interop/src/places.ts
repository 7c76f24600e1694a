import type { Overview } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import type { SentPart } from '@holdfast/protocol'
import { type ApiDeps, type Principal, RefusedError } from '@holdfast/server'
import { type ApprovalAnswer, requestFor } from './ai-sdk/asked.ts'
import type { ToldTurn } from './ai-sdk/message-stream.ts'
import { startOfRun } from './exchanges.ts'

/** A turn and the place in the log from which it is told. */
export interface Place {
  readonly told: ToldTurn
  readonly after: number
}

/** A conversation, and who asks about it. */
export interface Chat {
  readonly principal: Principal
  readonly conversationId: string
}

/** What clients of foreign protocols do to a conversation, and from where they are told what comes of it. */
export interface Places {
  /** Sends a message. The same command again tells the same turn again. [SYNC2] */
  send(chat: Chat, sent: { readonly commandId: string; readonly content: readonly SentPart[] }): Promise<Place>
  /** Answers what waits for a person; what is settled already stays as it is. */
  answerWaiting(chat: Chat, answers: readonly ApprovalAnswer[]): Promise<Place>
  /** What runs, or is about to; null when nothing does. */
  open(conversationId: string): Promise<Place | null>
}

/** The places of the conversations of a server. */
export function createPlaces({ store, commands }: Pick<ApiDeps, 'store' | 'commands'>): Places {
  const overviewOf = async (conversationId: string): Promise<Overview> =>
    (await readOverview(store, conversationId)).state

  async function beforeRun(conversationId: string, runId: string): Promise<number> {
    const { path } = await overviewOf(conversationId)
    const seq = await startOfRun({ store, conversationId, path }, runId)
    if (seq === null) throw new Error(`The path of ${conversationId} has no start of run ${runId}`)
    return seq - 1
  }

  return {
    async send({ principal, conversationId }, { commandId, content }) {
      const { answer } = await commands.carryOut(principal, {
        type: 'command',
        name: 'send-message',
        commandId,
        conversationId,
        content: content.slice(),
        lane: 'turn',
      })
      return { told: { type: 'input', inputId: answer.inputId }, after: answer.seq }
    },
    async answerWaiting({ principal, conversationId }, answers) {
      const { head, pendingPermissions, runState } = await overviewOf(conversationId)
      const run = runState.exclusive
      for (const answer of answers) {
        const request = requestFor(answer, pendingPermissions)
        if (!request) continue
        await commands.carryOut(principal, {
          type: 'command',
          name: 'answer-permission',
          commandId: `approval:${request.requestId}`,
          conversationId,
          requestId: request.requestId,
          scope: 'call',
          decision: answer.allowed ? 'allow' : 'deny',
          ...(answer.reason === null ? {} : { reason: answer.reason }),
        })
      }
      if (!run) throw new RefusedError(409, 'nothing-runs', 'Nothing waits for an answer any more')
      return {
        told: { type: 'run', runId: run.runId, knownSeq: head },
        after: await beforeRun(conversationId, run.runId),
      }
    },
    async open(conversationId) {
      const { head, queue, runState } = await overviewOf(conversationId)
      const run = runState.exclusive
      if (run?.purpose === 'checkpoint') return null
      if (run) {
        const told = { type: 'run', runId: run.runId, knownSeq: 0 } as const
        return { told, after: await beforeRun(conversationId, run.runId) }
      }
      const next = queue.held ? undefined : queue.inputs[0]
      return next ? { told: { type: 'input', inputId: next.inputId }, after: head } : null
    },
  }
}
