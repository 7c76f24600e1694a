import type { Actor, ConversationListing } from '@holdfast/conversation'
import type { Engine } from '@holdfast/engine'
import { commandRoutes } from '@holdfast/protocol'
import type { Attachments } from './attachments.ts'
import { wishOf } from './canvas-wish.ts'
import { type Carried, type CommandAnswers, type CommandName, type Frames, replyOf } from './carried.ts'
import type { Desks } from './desks.ts'
import type { ListChanges } from './list-changes.ts'
import { rowOf } from './row-of.ts'

/** Who asks, after they were let. */
export interface Asker {
  readonly userId: string
  readonly actor: Actor
}

/** How each command is carried out, by name; one that is missing does not compile. */
export type Handlers = {
  readonly [Name in CommandName]: (asked: Frames[Name], asker: Asker) => Promise<Carried<CommandAnswers[Name]>>
}

/** What they need. */
export interface HandlersDeps {
  readonly engine: Engine
  readonly listChanges: Pick<ListChanges, 'changed'>
  readonly attachments: Pick<Attachments, 'resolve'>
  readonly desks: Pick<Desks, 'readMark'>
  /** @throws {UnknownConversationError} */
  readonly listingOf: (conversationId: string) => Promise<ConversationListing>
}

const SETTLED = { code: 'conflict', message: 'The question is settled already; nothing has changed' } as const
const NOTHING_RUNS = { code: 'nothing-runs', message: 'There is nothing to stop: the reply has ended' } as const

/** What each command does. Nothing here asks who may: that is known before. */
export function createHandlers({ engine, listChanges, attachments, desks, listingOf }: HandlersDeps): Handlers {
  /** The command changed something that the list may show. */
  async function changed(conversationId: string): Promise<Carried<ConversationListing>> {
    listChanges.changed(conversationId)
    const listing = await listingOf(conversationId)
    const { head: seq } = listing
    return {
      conversationId,
      seq,
      answer: listing,
      nothingDone: null,
      reply: async () => replyOf(commandRoutes.holdQueue, 200, { conversationId, seq }),
    }
  }

  /** Carries out a command whose route answers with the row of the conversation. */
  async function led(conversationId: string, status: 200 | 201): Promise<Carried<ConversationListing>> {
    const carried = await changed(conversationId)
    return { ...carried, reply: async () => ({ status, body: await rowOf(desks, carried.answer) }) }
  }

  return {
    async 'create-conversation'({ commandId, agentId, modelId, title }, { userId, actor }) {
      const { conversationId } = await engine.createConversation({
        commandId,
        actor,
        ownerId: userId,
        title: title ?? null,
        modelId: modelId ?? null,
        ...(agentId === undefined ? {} : { agentId }),
      })
      return led(conversationId, 201)
    },
    async 'send-message'({ commandId, conversationId, content, lane }, { userId, actor }) {
      const parts = await attachments.resolve(userId, content)
      const answer = await engine.sendMessage({ commandId, actor, conversationId, content: parts, lane })
      const reply = async () => replyOf(commandRoutes.sendInput, 202, answer)
      return { conversationId, seq: answer.seq, answer, nothingDone: null, reply }
    },
    async 'stop-run'({ commandId, conversationId, runId, force }, { actor }) {
      const asked = { commandId, actor, conversationId, runId: runId ?? null, force: force ?? false }
      const answer = await engine.stopRun(asked)
      const { head: seq, state } = await listingOf(conversationId)
      const reply = async () =>
        answer.accepted
          ? replyOf(commandRoutes.stop, 202, { runId: answer.runId, accepted: true, settled: state !== 'running' })
          : replyOf(commandRoutes.stop, 200, { runId: null, accepted: false, settled: true })
      return { conversationId, seq, answer, nothingDone: answer.accepted ? null : NOTHING_RUNS, reply }
    },
    async 'change-input'({ commandId, conversationId, inputId, content, position, lane, locked }, { userId, actor }) {
      await engine.changeInput({
        commandId,
        actor,
        conversationId,
        inputId,
        ...(content === undefined ? {} : { content: await attachments.resolve(userId, content) }),
        ...(position === undefined ? {} : { position }),
        ...(lane === undefined ? {} : { lane }),
        ...(locked === undefined ? {} : { lockedBy: locked ? userId : null }),
      })
      return changed(conversationId)
    },
    async 'remove-input'({ commandId, conversationId, inputId }, { actor }) {
      await engine.removeInput({ commandId, actor, conversationId, inputId })
      return changed(conversationId)
    },
    async 'send-input-now'({ commandId, conversationId, inputId }, { actor }) {
      await engine.sendInputNow({ commandId, actor, conversationId, inputId })
      return changed(conversationId)
    },
    async 'hold-queue'({ commandId, conversationId }, { actor }) {
      await engine.holdQueue({ commandId, actor, conversationId })
      return changed(conversationId)
    },
    async 'release-queue'({ commandId, conversationId }, { actor }) {
      await engine.releaseQueue({ commandId, actor, conversationId })
      return changed(conversationId)
    },
    async 'answer-permission'(asked, { actor }) {
      const { commandId, conversationId, requestId, decision, scope, pattern, reason } = asked
      const answer = await engine.answerPermission({
        commandId,
        actor,
        conversationId,
        requestId,
        decision,
        scope,
        ...(pattern === undefined ? {} : { pattern }),
        ...(reason === undefined ? {} : { reason }),
      })
      const { head: seq } = await listingOf(conversationId)
      const reply = async () => replyOf(commandRoutes.answerPermission, 200, answer)
      return { conversationId, seq, answer, nothingDone: answer.accepted ? null : SETTLED, reply }
    },
    async 'answer-question'({ commandId, conversationId, questionId, action, content }, { actor }) {
      const answer = await engine.answerQuestion({
        commandId,
        actor,
        conversationId,
        questionId,
        action,
        ...(content === undefined ? {} : { content }),
      })
      const { head: seq } = await listingOf(conversationId)
      const reply = async () => replyOf(commandRoutes.answerQuestion, 200, answer)
      return { conversationId, seq, answer, nothingDone: answer.accepted ? null : SETTLED, reply }
    },
    async 'change-settings'({ commandId, conversationId, settings }, { actor }) {
      await engine.changeSettings({ commandId, actor, conversationId, changes: settings })
      return changed(conversationId)
    },
    async 'revoke-rule'({ commandId, conversationId, ruleId }, { actor }) {
      await engine.revokeRule({ commandId, actor, conversationId, ruleId })
      return changed(conversationId)
    },
    async 'pin-message'({ commandId, conversationId, messageSeq, isPinned }, { actor }) {
      await engine.pinMessage({ commandId, actor, conversationId, messageSeq, isPinned })
      return changed(conversationId)
    },
    async 'exclude-result'({ commandId, conversationId, resultSeq, isExcluded }, { actor }) {
      await engine.excludeResult({ commandId, actor, conversationId, resultSeq, isExcluded })
      return changed(conversationId)
    },
    async rewind({ commandId, conversationId, toSeq, reason, content }, { userId, actor }) {
      const parts = content === undefined ? {} : { content: await attachments.resolve(userId, content) }
      const answer = await engine.rewind({ commandId, actor, conversationId, toSeq, reason, ...parts })
      const reply = async () => replyOf(commandRoutes.rewind, 200, answer)
      return { conversationId, seq: answer.seq, answer, nothingDone: null, reply }
    },
    async 'select-path'({ commandId, conversationId, head }, { actor }) {
      await engine.selectPath({ commandId, actor, conversationId, headSeq: head })
      return changed(conversationId)
    },
    async fork({ commandId, conversationId, atSeq }, { actor }) {
      const forked = await engine.fork({ commandId, actor, conversationId, atSeq })
      return led(forked.conversationId, 201)
    },
    async reset({ commandId, conversationId }, { actor }) {
      const next = await engine.reset({ commandId, actor, conversationId })
      return led(next.conversationId, 201)
    },
    async 'change-conversation'({ commandId, conversationId, title, archived, settings }, { actor }) {
      const command = { commandId, actor, conversationId }
      // Of settings alone it is `change-settings`, whichever way it comes in: one id, one meaning. [LOG4]
      if (settings !== undefined && title === undefined && archived === undefined)
        await engine.changeSettings({ ...command, changes: settings })
      else
        await engine.changeConversation({
          ...command,
          ...(title === undefined ? {} : { title }),
          ...(archived === undefined ? {} : { archived }),
          ...(settings === undefined ? {} : { changes: settings }),
        })
      return led(conversationId, 200)
    },
    async 'change-canvas'({ commandId, conversationId, elementId, action, value, agentId }, { actor }) {
      const answer = await engine.changeCanvas({
        commandId,
        actor,
        conversationId,
        wish: wishOf(action, elementId, value ?? null),
        ...(agentId === undefined ? {} : { agentId }),
      })
      const { head: seq } = await listingOf(conversationId)
      const reply = async () => replyOf(commandRoutes.changeCanvas, 200, answer)
      return { conversationId, seq, answer, nothingDone: null, reply }
    },
  }
}
