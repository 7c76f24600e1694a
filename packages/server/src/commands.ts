import type { ConversationIndex, ConversationListing } from '@holdfast/conversation'
import {
  type Admitted,
  type Engine,
  type PermissionAnswer,
  type StopAnswer,
  UnknownConversationError,
} from '@holdfast/engine'
import type { CommandFrame } from '@holdfast/protocol'
import type { ListChanges } from './list-changes.ts'
import { RefusedError } from './to-problem.ts'

type Asked<Name extends CommandFrame['name']> = Omit<Extract<CommandFrame, { name: Name }>, 'type' | 'name'>

/** What users may ask for, the same over HTTP and over the socket. Each checks whose conversation it is. [SEC1] */
export interface Commands {
  /** @throws {UnknownConversationError} when there is no such conversation, or it is another's. */
  owned(userId: string, conversationId: string): Promise<ConversationListing>
  create(userId: string, asked: Asked<'create-conversation'>): Promise<ConversationListing>
  send(userId: string, asked: Asked<'send-message'>): Promise<Admitted>
  stop(userId: string, asked: Asked<'stop-run'>): Promise<StopAnswer & { readonly listing: ConversationListing }>
  answerPermission(userId: string, asked: Asked<'answer-permission'>): Promise<PermissionAnswer>
  /** The commands that have no answer of their own: what is so afterwards is in the log. */
  change(userId: string, asked: ChangeCommand): Promise<ConversationListing>
  /** From now on every command is refused: the server is about to end. */
  stopAccepting(): void
}

/** A command without an answer of its own. */
export type ChangeCommand = Exclude<
  CommandFrame,
  { name: 'create-conversation' | 'send-message' | 'stop-run' | 'answer-permission' }
>

/** What they need. */
export interface CommandsDeps {
  readonly engine: Engine
  readonly store: Pick<ConversationIndex, 'readListing'>
  readonly listChanges: ListChanges
}

/** The commands of this server. */
export function createCommands({ engine, store, listChanges }: CommandsDeps): Commands {
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
    async create(userId, { commandId, agentId, modelId, title }) {
      checkAccepting()
      if (agentId !== undefined) throw new RefusedError(422, 'unknown-agent', `There is no agent ${agentId}`)
      const { conversationId } = await engine.createConversation({
        commandId,
        actor: { type: 'person', userId },
        ownerId: userId,
        title: title ?? null,
        modelId: modelId ?? null,
      })
      listChanges.watch(conversationId)
      listChanges.changed(conversationId)
      return listingOf(conversationId)
    },
    async send(userId, { commandId, conversationId, content, lane }) {
      checkAccepting()
      await owned(userId, conversationId)
      listChanges.watch(conversationId)
      return engine.sendMessage({ commandId, actor: { type: 'person', userId }, conversationId, content, lane })
    },
    async stop(userId, { commandId, conversationId, runId, force }) {
      checkAccepting()
      await owned(userId, conversationId)
      listChanges.watch(conversationId)
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
      listChanges.watch(conversationId)
      return engine.answerPermission({
        ...{ commandId, actor: { type: 'person', userId }, conversationId, requestId, decision, scope },
        ...(pattern === undefined ? {} : { pattern }),
        ...(reason === undefined ? {} : { reason }),
      })
    },
    async change(userId, asked) {
      checkAccepting()
      await owned(userId, asked.conversationId)
      listChanges.watch(asked.conversationId)
      await carryOutChange(engine, userId, asked)
      return listingOf(asked.conversationId)
    },
    stopAccepting() {
      accepting = false
    },
  }
}

async function carryOutChange(engine: Engine, userId: string, asked: ChangeCommand): Promise<void> {
  const { commandId, conversationId } = asked
  const command = { commandId, conversationId, actor: { type: 'person' as const, userId } }
  switch (asked.name) {
    case 'change-input': {
      const { inputId, content, position, lane, locked } = asked
      return engine.changeInput({
        ...command,
        inputId,
        ...(content === undefined ? {} : { content }),
        ...(position === undefined ? {} : { position }),
        ...(lane === undefined ? {} : { lane }),
        ...(locked === undefined ? {} : { lockedBy: locked ? userId : null }),
      })
    }
    case 'remove-input':
      return engine.removeInput({ ...command, inputId: asked.inputId })
    case 'send-input-now':
      return engine.sendInputNow({ ...command, inputId: asked.inputId })
    case 'hold-queue':
      return engine.holdQueue(command)
    case 'release-queue':
      return engine.releaseQueue(command)
    case 'change-settings':
      return engine.changeSettings({ ...command, changes: asked.settings })
    case 'revoke-rule':
      return engine.revokeRule({ ...command, ruleId: asked.ruleId })
  }
}
