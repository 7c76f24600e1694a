import type { ConversationIndex, ConversationListing, Entry } from '@holdfast/conversation'
import {
  type AddRule,
  type AlwaysRuleAdded,
  type Engine,
  type EraseEntries,
  type FilesRestored,
  type RestoreFiles,
  UnknownConversationError,
} from '@holdfast/engine'
import { scopeOfCommand } from '@holdfast/protocol'
import type { Attachments } from './attachments.ts'
import type { Carried, CommandAnswers, CommandName, Frames } from './carried.ts'
import { createHandlers } from './command-handlers.ts'
import type { Desks } from './desks.ts'
import type { ListChanges } from './list-changes.ts'
import { checkScope, type Principal } from './principal.ts'
import { RefusedError } from './to-problem.ts'

/** What users may ask for, whichever way it comes in. Each checks whose conversation it is. [SEC1] */
export interface UserCommands {
  /** @throws {UnknownConversationError} when there is no such conversation, or it is another's. */
  owned(userId: string, conversationId: string): Promise<ConversationListing>
  /**
   * Carries out a command of the table, once for each command id; its scope and its owner are checked here, whatever a route has checked before.
   *
   * @throws {RefusedError} when the credential may not ask for it, or the server is about to end. [SEC1]
   * @throws {UnknownConversationError} when there is no such conversation, or it is another's.
   */
  carryOut<Name extends CommandName>(
    principal: Principal,
    frame: Frames[Name] & { readonly name: Name },
  ): Promise<Carried<CommandAnswers[Name]>>
  /**
   * Denies what waits for a person where none can be asked. Nothing can be allowed by it, so that it needs no scope.
   */
  denyUnattended(userId: string, waiting: WaitsForPerson): Promise<void>
  /**
   * The conversation with an id that its client chose; made when there is none.
   *
   * @throws {RefusedError} when the credential may make none.
   * @throws {UnknownConversationError} when it is another's.
   */
  open(
    principal: Principal,
    asked: { readonly conversationId: string; readonly modelId?: string },
  ): Promise<ConversationListing>
  /** Gives a rule to a conversation, or to all of the user's. [PERM5] */
  addRule(userId: string, asked: Omit<AddRule, 'actor'>): Promise<{ readonly ruleId: string }>
  addAlwaysRule(userId: string, rule: AddRule['rule']): Promise<AlwaysRuleAdded>
  /** Brings files back. [WS1] */
  restoreFiles(userId: string, asked: Omit<RestoreFiles, 'actor'>): Promise<FilesRestored>
  /** Moves what its owner has read on, and tells their other tabs. @returns up to where that is. */
  markRead(userId: string, read: { readonly conversationId: string; readonly seq: number }): Promise<number>
  /** Deletes a conversation with what its owner has beside it, and tells their other tabs. [LOG9, SYNC4] */
  remove(userId: string, conversationId: string): Promise<void>
  /** Erases what entries say. @returns the tombstones. [LOG9] */
  erase(userId: string, erasure: Omit<EraseEntries, 'actor'>): Promise<readonly Entry[]>
  /** @throws {RefusedError} when the server is about to end. */
  checkAccepting(): void
  /** From now on every command of the table is refused: the server is about to end. */
  stopAccepting(): void
}

/** What waits for a person, and why it is denied without one. */
export interface WaitsForPerson {
  readonly commandId: string
  readonly conversationId: string
  readonly about:
    | { readonly type: 'permission'; readonly requestId: string; readonly reason: string }
    | { readonly type: 'question'; readonly questionId: string }
}

/** What they need. */
export interface UserCommandsDeps {
  readonly engine: Engine
  readonly store: Pick<ConversationIndex, 'readListing'>
  readonly listChanges: ListChanges
  readonly attachments: Pick<Attachments, 'resolve'>
  readonly desks: Pick<Desks, 'clear' | 'markRead' | 'readMark'>
}

/** The commands of this server. */
export function createUserCommands({ engine, store, listChanges, attachments, desks }: UserCommandsDeps): UserCommands {
  let accepting = true

  async function listingOf(conversationId: string): Promise<ConversationListing> {
    const listing = await store.readListing(conversationId)
    if (!listing) throw new UnknownConversationError(conversationId)
    return listing
  }

  async function owned(userId: string, conversationId: string): Promise<ConversationListing> {
    const listing = await listingOf(conversationId)
    if (listing.ownerId !== userId) throw new UnknownConversationError(conversationId)
    return listing
  }

  function checkAccepting(): void {
    if (!accepting) throw new RefusedError(503, 'not-ready', 'The server is shutting down; send it again in a moment')
  }

  const handlers = createHandlers({ engine, listChanges, attachments, desks, listingOf })

  return {
    owned,
    checkAccepting,
    async carryOut(principal, frame) {
      checkScope(principal, scopeOfCommand(frame))
      checkAccepting()
      const { userId } = principal
      if ('conversationId' in frame) await owned(userId, frame.conversationId)
      return handlers[frame.name](frame, { userId, actor: { type: 'person', userId } })
    },
    async denyUnattended(userId, { commandId, conversationId, about }) {
      checkAccepting()
      await owned(userId, conversationId)
      const command = { commandId, conversationId, actor: { type: 'person' as const, userId } }
      switch (about.type) {
        case 'question':
          await engine.answerQuestion({ ...command, questionId: about.questionId, action: 'decline' })
          return
        case 'permission':
          await engine.answerPermission({
            ...command,
            requestId: about.requestId,
            decision: 'deny',
            scope: 'call',
            reason: about.reason,
          })
      }
    },
    async open(principal, { conversationId, modelId }) {
      checkScope(principal, 'chat')
      const { userId } = principal
      if (await store.readListing(conversationId)) return owned(userId, conversationId)
      checkAccepting()
      await engine.createConversation({
        commandId: `open:${userId}:${conversationId}`,
        actor: { type: 'person', userId },
        ownerId: userId,
        conversationId,
        title: null,
        modelId: modelId ?? null,
      })
      listChanges.changed(conversationId)
      return owned(userId, conversationId)
    },
    async addRule(userId, asked) {
      checkAccepting()
      await owned(userId, asked.conversationId)
      return engine.addRule({ ...asked, actor: { type: 'person', userId } })
    },
    async addAlwaysRule(userId, rule) {
      checkAccepting()
      return engine.addAlwaysRule({ ownerId: userId, rule })
    },
    async restoreFiles(userId, asked) {
      checkAccepting()
      await owned(userId, asked.conversationId)
      return engine.restoreFiles({ ...asked, actor: { type: 'person', userId } })
    },
    async markRead(userId, { conversationId, seq }) {
      const marked = await desks.markRead({ userId, conversationId }, seq)
      listChanges.changed(conversationId)
      return marked
    },
    async remove(userId, conversationId) {
      checkAccepting()
      await owned(userId, conversationId)
      await engine.deleteConversation(conversationId)
      listChanges.removed(userId, conversationId)
      await desks.clear({ userId, conversationId })
    },
    async erase(userId, erasure) {
      checkAccepting()
      await owned(userId, erasure.conversationId)
      const tombstones = await engine.eraseEntries({ ...erasure, actor: { type: 'person', userId } })
      listChanges.changed(erasure.conversationId)
      return tombstones
    },
    stopAccepting() {
      accepting = false
    },
  }
}
