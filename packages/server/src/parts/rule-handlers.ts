import type { ConversationListing, Records } from '@holdfast/conversation'
import { ALWAYS_RULE, type Engine, UnknownConversationError } from '@holdfast/engine'
import type { Asker, Handlers } from './handlers.ts'
import { RefusedError } from './to-problem.ts'

/** What commands about rules for calls need. */
export interface RuleHandlersDeps {
  readonly engine: Pick<Engine, 'addRule' | 'revokeRule' | 'addAlwaysRule' | 'dismissSuggestion'>
  readonly records: Pick<Records, 'get' | 'remove'>
  /** @throws {UnknownConversationError} */
  readonly listingOf: (conversationId: string) => Promise<ConversationListing>
  /** What is told of a conversation that has changed. */
  readonly listed: (conversationId: string) => Promise<Listed>
}

interface Listed {
  readonly conversationId: string
  readonly seq: number
  readonly answer: ConversationListing
  readonly nothingDone: null
}

type RuleCommand = 'add-rule' | 'revoke-rule' | 'add-always-rule' | 'revoke-always-rule' | 'dismiss-suggestion'

/** How rules for calls are given and taken back. [PERM5] */
export function createRuleHandlers({
  engine,
  records,
  listingOf,
  listed,
}: RuleHandlersDeps): Pick<Handlers, RuleCommand> {
  /** Its conversation first: what is broken off in between is done by asking again. */
  async function revokeWhereGiven(
    { userId, actor }: Asker,
    { ruleId, conversationId }: { readonly ruleId: string; readonly conversationId: string },
  ): Promise<void> {
    const listing = await listingIfThere(conversationId)
    if (listing?.ownerId !== userId) return
    await engine.revokeRule({ commandId: `revoke:${ruleId}`, actor, conversationId, ruleId })
    await listed(conversationId)
  }

  async function listingIfThere(conversationId: string): Promise<ConversationListing | null> {
    try {
      return await listingOf(conversationId)
    } catch (error) {
      if (error instanceof UnknownConversationError) return null
      throw error
    }
  }

  return {
    async 'add-rule'({ commandId, conversationId, rule }, { actor }) {
      const answer = await engine.addRule({ commandId, actor, conversationId, rule })
      const carried = await listed(conversationId)
      return { ...carried, answer, reply: async () => ({ status: 200, body: answer }) }
    },
    async 'revoke-rule'({ commandId, conversationId, ruleId }, { actor }) {
      await engine.revokeRule({ commandId, actor, conversationId, ruleId })
      const carried = await listed(conversationId)
      const { seq } = carried
      return { ...carried, reply: async () => ({ status: 200, body: { conversationId, seq } }) }
    },
    async 'add-always-rule'({ rule }, { userId }) {
      const { ruleId, isNew } = await engine.addAlwaysRule({ ownerId: userId, rule })
      return { reply: async () => ({ status: isNew ? 201 : 200, body: { ruleId } }) }
    },
    async 'revoke-always-rule'({ ruleId }, asker) {
      const { userId } = asker
      const found = await records.get(ALWAYS_RULE, { ownerId: userId, id: ruleId })
      if (!found)
        throw new RefusedError(404, 'unknown-rule', `There is no rule ${ruleId}; GET /permission-rules lists them`)
      const { givenIn } = found.value
      if (givenIn !== undefined) await revokeWhereGiven(asker, { ruleId, conversationId: givenIn })
      await records.remove(ALWAYS_RULE, { ownerId: userId, id: ruleId, revision: found.revision })
      return { reply: async () => ({ status: 200, body: { ruleId } }) }
    },
    async 'dismiss-suggestion'({ rule }, { userId }) {
      await engine.dismissSuggestion({ ownerId: userId, rule })
      return { reply: async () => ({ status: 200, body: { dismissed: true } }) }
    },
  }
}
