import type { ConversationListing, Records } from '@holdfast/conversation'
import type { Engine, GivenContent, Memories } from '@holdfast/engine'
import type { CommandReply, SentPart } from '@holdfast/protocol'
import type { Attachments } from './attachments.ts'
import { wishOf } from './canvas-wish.ts'
import type { Desks } from './desks.ts'
import { createErasures, type ErasuresDeps } from './erasures.ts'
import type { Handlers } from './handlers.ts'
import type { ListChanges } from './list-changes.ts'
import type { PointingPerson } from './pointed-at.ts'
import { rowOf } from './row-of.ts'
import { createRuleHandlers } from './rule-handlers.ts'
import { RefusedError } from './to-problem.ts'
import type { WorktreeWish } from './worktree-wish.ts'

/** What they need. */
export interface HandlersDeps {
  readonly engine: Engine
  readonly records: Records
  readonly memories: Pick<Memories, 'list'>
  readonly listChanges: Pick<ListChanges, 'changed' | 'removed'>
  readonly attachments: Pick<Attachments, 'resolve'>
  readonly desks: Pick<Desks, 'readMark' | 'clear'>
  readonly onErased: ErasuresDeps['onErased']
  /** @throws {RefusedError} */
  readonly workInWorktree: (wish: WorktreeWish) => Promise<void>
  /** @throws {UnknownConversationError} */
  readonly listingOf: (conversationId: string) => Promise<ConversationListing>
}

const PERMISSION_SETTLED = {
  code: 'conflict',
  message: 'The request for permission is settled already; nothing has changed',
} as const
const QUESTION_SETTLED = { code: 'conflict', message: 'The question is settled already; nothing has changed' } as const
const NOTHING_RUNS = { code: 'nothing-runs', message: 'There is nothing to stop: the reply has ended' } as const

/** What each command does. Nothing here asks who may: that is known before. */
export function createHandlers(deps: HandlersDeps): Handlers {
  const { engine, listChanges, attachments, desks, listingOf } = deps

  /** What is sent, as it is now. Where it is refused, the engine is asked first whether the command was carried out before. [LOG4] */
  async function given(person: PointingPerson, content: readonly SentPart[]): Promise<GivenContent> {
    try {
      return await attachments.resolve(person, content)
    } catch (error) {
      if (error instanceof RefusedError) return { asked: content, error }
      throw error
    }
  }

  /** The command changed something that the list may show. */
  async function listed(conversationId: string) {
    listChanges.changed(conversationId)
    const answer = await listingOf(conversationId)
    return { conversationId, seq: answer.head, answer, nothingDone: null }
  }

  /** Carries out a command whose route answers with where the log ends. */
  async function changed(conversationId: string) {
    const carried = await listed(conversationId)
    const { seq } = carried
    return { ...carried, reply: async () => ({ status: 200 as const, body: { conversationId, seq } }) }
  }

  /** Carries out a command whose route answers with the row of the conversation. */
  async function led<Status extends 200 | 201>(conversationId: string, status: Status) {
    const carried = await listed(conversationId)
    return { ...carried, reply: async () => ({ status, body: await rowOf(desks, carried.answer) }) }
  }

  return {
    async 'create-conversation'(
      { commandId, agentId, modelId, title, presetId, workspaceId, place, settings },
      { userId, actor },
    ) {
      const asked = { ...settings, ...(workspaceId === undefined ? {} : { workspaceId }) }
      const { conversationId } = await engine.createConversation({
        commandId,
        actor,
        ownerId: userId,
        title: title ?? null,
        modelId: modelId ?? null,
        ...(agentId === undefined ? {} : { agentId }),
        ...(presetId === undefined ? {} : { presetId }),
        ...(settings === undefined && workspaceId === undefined ? {} : { settings: asked }),
      })
      if (place === 'worktree')
        await deps.workInWorktree({ commandId, conversationId, userId, actor, title: title ?? null })
      return led(conversationId, 201)
    },
    async 'send-message'({ commandId, conversationId, content, lane, behind }, { userId, actor }) {
      const parts = await given({ userId, conversationId }, content)
      const answer = await engine.sendMessage({
        commandId,
        actor,
        conversationId,
        content: parts,
        lane,
        ...(behind === undefined ? {} : { behind }),
      })
      const reply = async () => ({ status: 202 as const, body: answer })
      return { conversationId, seq: answer.seq, answer, nothingDone: null, reply }
    },
    async 'stop-run'({ commandId, conversationId, runId, force }, { actor }) {
      const asked = { commandId, actor, conversationId, runId: runId ?? null, force: force ?? false }
      const answer = await engine.stopRun(asked)
      const { head: seq, state } = await listingOf(conversationId)
      const reply = async (): Promise<CommandReply<'stop-run'>> =>
        answer.accepted
          ? { status: 202, body: { runId: answer.runId, accepted: true, settled: state !== 'running' } }
          : { status: 200, body: { runId: null, accepted: false, settled: true } }
      return { conversationId, seq, answer, nothingDone: answer.accepted ? null : NOTHING_RUNS, reply }
    },
    async 'change-input'({ commandId, conversationId, inputId, content, position, lane, locked }, { userId, actor }) {
      await engine.changeInput({
        commandId,
        actor,
        conversationId,
        inputId,
        ...(content === undefined ? {} : { content: await given({ userId, conversationId }, content) }),
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
      const reply = async () => ({ status: 200 as const, body: answer })
      return { conversationId, seq, answer, nothingDone: answer.accepted ? null : PERMISSION_SETTLED, reply }
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
      const reply = async () => ({ status: 200 as const, body: answer })
      return { conversationId, seq, answer, nothingDone: answer.accepted ? null : QUESTION_SETTLED, reply }
    },
    async 'change-settings'({ commandId, conversationId, settings }, { actor }) {
      await engine.changeSettings({ commandId, actor, conversationId, changes: settings })
      return { ...(await listed(conversationId)), reply: null }
    },
    async 'pin-message'({ commandId, conversationId, messageSeq, isPinned }, { actor }) {
      await engine.pinMessage({ commandId, actor, conversationId, messageSeq, isPinned })
      return changed(conversationId)
    },
    async 'exclude-result'({ commandId, conversationId, resultSeq, isExcluded }, { actor }) {
      await engine.excludeResult({ commandId, actor, conversationId, resultSeq, isExcluded })
      return changed(conversationId)
    },
    async 'switch-auto-fix'({ commandId, conversationId, isOn, previewId }, { actor }) {
      await engine.switchAutoFix({ commandId, actor, conversationId, isOn, previewId: previewId ?? null })
      return changed(conversationId)
    },
    async rewind({ commandId, conversationId, toSeq, reason, content }, { userId, actor }) {
      const parts = content === undefined ? {} : { content: await given({ userId, conversationId }, content) }
      const answer = await engine.rewind({ commandId, actor, conversationId, toSeq, reason, ...parts })
      const reply = async () => ({ status: 200 as const, body: answer })
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
      const reply = async () => ({ status: 200 as const, body: answer })
      return { conversationId, seq, answer, nothingDone: null, reply }
    },
    async 'make-checkpoint'({ commandId, conversationId, focus }, { actor }) {
      const begun = await engine.makeCheckpoint({ commandId, actor, conversationId, focus: focus ?? null })
      return { reply: async () => ({ status: 202, body: begun }) }
    },
    async 'edit-checkpoint'({ commandId, conversationId, checkpointSeq, summary }, { actor }) {
      await engine.editCheckpoint({ commandId, actor, conversationId, checkpointSeq, summary })
      return changed(conversationId)
    },
    async 'undo-checkpoint'({ commandId, conversationId, checkpointSeq }, { actor }) {
      await engine.undoCheckpoint({ commandId, actor, conversationId, checkpointSeq })
      return changed(conversationId)
    },
    async 'make-title'({ commandId, conversationId }, { actor }) {
      const begun = await engine.makeTitle({ commandId, actor, conversationId })
      return { reply: async () => ({ status: 202, body: begun }) }
    },
    async 'decide-changes'({ commandId, conversationId, target, decisions, meanwhile }, { actor }) {
      const also = meanwhile === undefined ? {} : { meanwhile }
      const done = await engine.decideChanges({ commandId, actor, conversationId, target, decisions, ...also })
      const body = { seq: done.seq, restored: done.restored.slice(), conflicts: done.conflicts.slice() }
      return { reply: async () => ({ status: 200, body }) }
    },
    ...createErasures(deps),
    ...createRuleHandlers({ ...deps, listed }),
  }
}
