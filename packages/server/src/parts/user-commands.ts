import type { ConversationIndex, ConversationListing } from '@holdfast/conversation'
import { type AnswerCalls, type Engine, UnknownConversationError } from '@holdfast/engine'
import { type AskedCommand, type NeededScope, scopeOfCommand } from '@holdfast/protocol'
import type { Asked, Carried, CommandName } from './carried.ts'
import { createHandlers, type HandlersDeps } from './command-handlers.ts'
import type { Desks } from './desks.ts'
import type { ListChanges } from './list-changes.ts'
import { checkScope, type Principal } from './principal.ts'
import { RefusedError } from './to-problem.ts'

/** What users may ask for, whichever way it comes in. Each checks whose conversation it is. [SEC1] */
export interface UserCommands {
  /** @throws {UnknownConversationError} when there is no such conversation, or it is another's. */
  owned(userId: string, conversationId: string): Promise<ConversationListing>
  /**
   * Carries out a command of the table, once for each command id. Its scope, that the server takes commands, and its
   * owner are checked here and nowhere else.
   *
   * @throws {RefusedError} when the credential may not ask for it, or the server is about to end. [SEC1]
   * @throws {UnknownConversationError} when there is no such conversation, or it is another's.
   */
  carryOut<Name extends CommandName>(
    principal: Principal,
    asked: Asked[Name] & { readonly name: Name },
  ): Promise<Carried<Name>>
  /**
   * Carries out a command that a request asks for. What it asks for beside its conversation is read after all that can be
   * checked without it. @throws what `carryOut` throws, and what `read` does.
   */
  carryOutRequest(principal: Principal, request: CommandRequest): Promise<Carried<CommandName>>
  /**
   * Denies what waits for a person where none can be asked. Nothing can be allowed by it, so that it needs no scope.
   */
  denyUnattended(userId: string, waiting: WaitsForPerson): Promise<void>
  /**
   * Says what came of calls that a client runs. @throws {RefusedError} when the credential may not send messages either.
   * @throws {UnknownConversationError} when there is no such conversation, or it is another's. [TOOL18]
   */
  answerCalls(principal: Principal, answers: Omit<AnswerCalls, 'actor'>): Promise<void>
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
  /** Moves what its owner has read on, and tells their other tabs. @returns up to where that is. */
  markRead(userId: string, read: { readonly conversationId: string; readonly seq: number }): Promise<number>
  /** @throws {RefusedError} when the server is about to end. */
  checkAccepting(): void
  /** From now on every command of the table is refused: the server is about to end. */
  stopAccepting(): void
}

/** A command as a request names it, before what it asks for is read. */
export interface CommandRequest {
  /** What its route needs, whatever it asks for. */
  readonly scope: NeededScope
  /** Null for one that is about no conversation. */
  readonly conversationId: string | null
  readonly read: () => AskedCommand
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
export interface UserCommandsDeps extends Omit<HandlersDeps, 'listingOf'> {
  readonly engine: Engine
  readonly store: Pick<ConversationIndex, 'readListing'>
  readonly listChanges: ListChanges
  readonly desks: Pick<Desks, 'clear' | 'markRead' | 'readMark'>
}

/** The commands of this server. */
export function createUserCommands(deps: UserCommandsDeps): UserCommands {
  const { engine, store, listChanges, desks } = deps
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

  const handlers = createHandlers({ ...deps, listingOf })

  /** What must hold beside the scope. */
  async function checkRest({ userId }: Principal, conversationId: string | null): Promise<void> {
    checkAccepting()
    // Another's is looked up as one that there is not: nothing tells them apart. [SEC1]
    if (conversationId !== null && engine.knownOwner(conversationId) !== userId) await owned(userId, conversationId)
  }

  function handle<Name extends CommandName>(
    userId: string,
    asked: Asked[Name] & { readonly name: Name },
  ): Promise<Carried<Name>> {
    return handlers[asked.name](asked, { userId, actor: { type: 'person', userId } })
  }

  return {
    owned,
    checkAccepting,
    async carryOut<Name extends CommandName>(
      principal: Principal,
      asked: Asked[Name] & { readonly name: Name },
    ): Promise<Carried<Name>> {
      checkScope(principal, scopeOfCommand(asked))
      await checkRest(principal, conversationOf(asked))
      return handle<Name>(principal.userId, asked)
    },
    async carryOutRequest(principal, { scope, conversationId, read }) {
      checkScope(principal, scope)
      await checkRest(principal, conversationId)
      const asked = read()
      const needed = scopeOfCommand(asked)
      if (needed !== scope) checkScope(principal, needed)
      return handle(principal.userId, asked)
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
    async answerCalls(principal, answers) {
      checkScope(principal, 'chat')
      checkAccepting()
      const { userId } = principal
      await owned(userId, answers.conversationId)
      await engine.answerCalls({ ...answers, actor: { type: 'person', userId } })
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
    async markRead(userId, { conversationId, seq }) {
      const marked = await desks.markRead({ userId, conversationId }, seq)
      listChanges.changed(conversationId)
      return marked
    },
    stopAccepting() {
      accepting = false
    },
  }
}

function conversationOf(asked: AskedCommand): string | null {
  return 'conversationId' in asked ? asked.conversationId : null
}
