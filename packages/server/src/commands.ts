import type { ConversationIndex, ConversationListing, Entry } from '@holdfast/conversation'
import {
  type AddRule,
  type Admitted,
  type AlwaysRuleAdded,
  type Answered,
  type CanvasAnswer,
  type ChangeCanvas,
  type Engine,
  type EraseEntries,
  type FilesRestored,
  type RestoreFiles,
  type Rewound,
  type StopAnswer,
  UnknownConversationError,
} from '@holdfast/engine'
import type { CommandFrame } from '@holdfast/protocol'
import type { Attachments } from './attachments.ts'
import type { Desks } from './desks.ts'
import type { ListChanges } from './list-changes.ts'
import { RefusedError } from './to-problem.ts'

type Asked<Name extends CommandFrame['name']> = Omit<Extract<CommandFrame, { name: Name }>, 'type' | 'name'>

/** What users may ask for, the same over HTTP and over the socket. Each checks whose conversation it is. [SEC1] */
export interface Commands {
  /** @throws {UnknownConversationError} when there is no such conversation, or it is another's. */
  owned(userId: string, conversationId: string): Promise<ConversationListing>
  create(userId: string, asked: Asked<'create-conversation'>): Promise<ConversationListing>
  /**
   * The conversation with an id that its client chose; made when there is none.
   *
   * @throws {UnknownConversationError} when it is another's.
   */
  open(
    userId: string,
    asked: { readonly conversationId: string; readonly modelId?: string },
  ): Promise<ConversationListing>
  send(userId: string, asked: Asked<'send-message'>): Promise<Admitted>
  stop(userId: string, asked: Asked<'stop-run'>): Promise<StopAnswer & { readonly listing: ConversationListing }>
  answerPermission(userId: string, asked: Asked<'answer-permission'>): Promise<Answered>
  answerQuestion(userId: string, asked: Asked<'answer-question'>): Promise<Answered>
  /** Gives a rule to a conversation, or to all of the user's. [PERM5] */
  addRule(userId: string, asked: Omit<AddRule, 'actor'>): Promise<{ readonly ruleId: string }>
  addAlwaysRule(userId: string, rule: AddRule['rule']): Promise<AlwaysRuleAdded>
  /** Does what a person does on a canvas. [CANVAS6] */
  changeCanvas(userId: string, asked: Omit<ChangeCanvas, 'actor' | 'call'>): Promise<CanvasAnswer>
  /** Brings files back. [WS1] */
  restoreFiles(userId: string, asked: Omit<RestoreFiles, 'actor'>): Promise<FilesRestored>
  rewind(userId: string, asked: Asked<'rewind'>): Promise<Rewound>
  /** Moves what its owner has read on, and tells their other tabs. @returns up to where that is. */
  markRead(userId: string, read: { readonly conversationId: string; readonly seq: number }): Promise<number>
  /** Deletes a conversation with what its owner has beside it, and tells their other tabs. [LOG9, SYNC4] */
  remove(userId: string, conversationId: string): Promise<void>
  /** Erases what entries say. @returns the tombstones. [LOG9] */
  erase(userId: string, erasure: Omit<EraseEntries, 'actor'>): Promise<readonly Entry[]>
  /**
   * The commands that have no answer of their own: what is so afterwards is in the log.
   *
   * @returns the row of the conversation that they lead to: the new one for a fork or a reset.
   */
  change(userId: string, asked: ChangeCommand): Promise<ConversationListing>
  /** @throws {RefusedError} when the server is about to end. */
  checkAccepting(): void
  /** From now on every command is refused: the server is about to end. */
  stopAccepting(): void
}

/** A command without an answer of its own. */
export type ChangeCommand = Exclude<
  CommandFrame,
  { name: 'create-conversation' | 'send-message' | 'stop-run' | 'answer-permission' | 'answer-question' | 'rewind' }
>

/** What they need. */
export interface CommandsDeps {
  readonly engine: Engine
  readonly store: Pick<ConversationIndex, 'readListing'>
  readonly listChanges: ListChanges
  readonly attachments: Pick<Attachments, 'resolve'>
  readonly desks: Pick<Desks, 'clear' | 'markRead'>
}

/** The commands of this server. */
export function createCommands({ engine, store, listChanges, attachments, desks }: CommandsDeps): Commands {
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

  return {
    owned,
    checkAccepting,
    async create(userId, { commandId, agentId, modelId, title }) {
      checkAccepting()
      const { conversationId } = await engine.createConversation({
        commandId,
        actor: { type: 'person', userId },
        ownerId: userId,
        title: title ?? null,
        modelId: modelId ?? null,
        ...(agentId === undefined ? {} : { agentId }),
      })
      listChanges.changed(conversationId)
      return listingOf(conversationId)
    },
    async open(userId, { conversationId, modelId }) {
      if (await store.readListing(conversationId)) return owned(userId, conversationId)
      checkAccepting()
      await engine.createConversation({
        commandId: `open:${userId}:${conversationId}`,
        actor: { type: 'person', userId },
        ...{ ownerId: userId, conversationId, title: null, modelId: modelId ?? null },
      })
      listChanges.changed(conversationId)
      return owned(userId, conversationId)
    },
    async send(userId, { commandId, conversationId, content, lane }) {
      checkAccepting()
      await owned(userId, conversationId)
      const parts = await attachments.resolve(userId, content)
      return engine.sendMessage({ commandId, actor: { type: 'person', userId }, conversationId, content: parts, lane })
    },
    async stop(userId, { commandId, conversationId, runId, force }) {
      checkAccepting()
      await owned(userId, conversationId)
      const answer = await engine.stopRun({
        commandId,
        actor: { type: 'person', userId },
        conversationId,
        runId: runId ?? null,
        force: force ?? false,
      })
      return { ...answer, listing: await listingOf(conversationId) }
    },
    async answerPermission(userId, { commandId, conversationId, requestId, decision, scope, pattern, reason }) {
      checkAccepting()
      await owned(userId, conversationId)
      return engine.answerPermission({
        ...{ commandId, actor: { type: 'person', userId }, conversationId, requestId, decision, scope },
        ...(pattern === undefined ? {} : { pattern }),
        ...(reason === undefined ? {} : { reason }),
      })
    },
    async answerQuestion(userId, { commandId, conversationId, questionId, action, content }) {
      checkAccepting()
      await owned(userId, conversationId)
      return engine.answerQuestion({
        ...{ commandId, actor: { type: 'person', userId }, conversationId, questionId, action },
        ...(content === undefined ? {} : { content }),
      })
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
    async changeCanvas(userId, asked) {
      checkAccepting()
      await owned(userId, asked.conversationId)
      return engine.changeCanvas({ ...asked, actor: { type: 'person', userId } })
    },
    async restoreFiles(userId, asked) {
      checkAccepting()
      await owned(userId, asked.conversationId)
      return engine.restoreFiles({ ...asked, actor: { type: 'person', userId } })
    },
    async change(userId, asked) {
      checkAccepting()
      await owned(userId, asked.conversationId)
      const ledTo = await carryOutChange({ engine, attachments }, userId, asked)
      listChanges.changed(ledTo)
      return listingOf(ledTo)
    },
    async rewind(userId, { commandId, conversationId, toSeq, reason, content }) {
      checkAccepting()
      await owned(userId, conversationId)
      const parts = content === undefined ? {} : { content: await attachments.resolve(userId, content) }
      return engine.rewind({
        ...{ commandId, actor: { type: 'person', userId }, conversationId, toSeq, reason },
        ...parts,
      })
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

/** @returns the conversation that the command leads to. */
async function carryOutChange(
  { engine, attachments }: Pick<CommandsDeps, 'engine' | 'attachments'>,
  userId: string,
  asked: ChangeCommand,
): Promise<string> {
  const { commandId, conversationId } = asked
  const command = { commandId, conversationId, actor: { type: 'person' as const, userId } }
  switch (asked.name) {
    case 'change-input': {
      const { inputId, content, position, lane, locked } = asked
      await engine.changeInput({
        ...command,
        inputId,
        ...(content === undefined ? {} : { content: await attachments.resolve(userId, content) }),
        ...(position === undefined ? {} : { position }),
        ...(lane === undefined ? {} : { lane }),
        ...(locked === undefined ? {} : { lockedBy: locked ? userId : null }),
      })
      return conversationId
    }
    case 'remove-input':
      await engine.removeInput({ ...command, inputId: asked.inputId })
      return conversationId
    case 'send-input-now':
      await engine.sendInputNow({ ...command, inputId: asked.inputId })
      return conversationId
    case 'hold-queue':
      await engine.holdQueue(command)
      return conversationId
    case 'release-queue':
      await engine.releaseQueue(command)
      return conversationId
    case 'change-settings':
      await engine.changeSettings({ ...command, changes: asked.settings })
      return conversationId
    case 'revoke-rule':
      await engine.revokeRule({ ...command, ruleId: asked.ruleId })
      return conversationId
    case 'pin-message':
      await engine.pinMessage({ ...command, messageSeq: asked.messageSeq, isPinned: asked.isPinned })
      return conversationId
    case 'exclude-result':
      await engine.excludeResult({ ...command, resultSeq: asked.resultSeq, isExcluded: asked.isExcluded })
      return conversationId
    case 'select-path':
      await engine.selectPath({ ...command, headSeq: asked.head })
      return conversationId
    case 'change-conversation': {
      const { title, archived, settings } = asked
      await engine.changeConversation({
        ...command,
        ...(title === undefined ? {} : { title }),
        ...(archived === undefined ? {} : { archived }),
        ...(settings === undefined ? {} : { changes: settings }),
      })
      return conversationId
    }
    case 'fork':
      return (await engine.fork({ ...command, atSeq: asked.atSeq })).conversationId
    case 'reset':
      return (await engine.reset(command)).conversationId
  }
}
