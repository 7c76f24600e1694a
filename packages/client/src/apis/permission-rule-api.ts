import type { WrittenPermissionRule } from '@holdfast/conversation'
import { ownRoutes, type RuleTrialAnswer, type SuggestionsAnswer } from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** A rule that the past suggests. */
export type SuggestionRow = SuggestionsAnswer['suggestions'][number]

/**
 * What the past says of rules, and rules that are given without a call that asks. With a conversation: of it, and for it;
 * null: of all conversations of the user, and for all. Everything throws {RequestFailedError} when it is refused.
 */
export interface PermissionRuleApi {
  suggest(conversationId: string | null): Promise<SuggestionsAnswer>
  /** What the rule would have done; it holds nowhere by that. */
  tryRule(conversationId: string | null, rule: WrittenPermissionRule): Promise<RuleTrialAnswer>
  add(conversationId: string | null, rule: WrittenPermissionRule): Promise<void>
  /** A suggestion like it comes back only for later answers. */
  dismiss(rule: SuggestionRow['rule']): Promise<void>
}

/** The ownRoutes about rules of a server. */
export function createPermissionRuleApi({
  ask,
  newId,
}: {
  readonly ask: HttpApi
  readonly newId: () => string
}): PermissionRuleApi {
  return {
    suggest(id) {
      const { suggestPermissionRules: all, suggestConversationRules: own } = ownRoutes
      return id === null ? ask(all, all.answers[200], {}) : ask(own, own.answers[200], { params: { id } })
    },
    tryRule(id, rule) {
      const { tryPermissionRule: all, tryConversationRule: own } = ownRoutes
      const body = { rule }
      return id === null ? ask(all, all.answers[200], { body }) : ask(own, own.answers[200], { params: { id }, body })
    },
    async add(id, rule) {
      const { addPermissionRule: all, addConversationRule: own } = ownRoutes
      if (id === null) await ask(all, all.answers[200], { body: { rule } })
      else await ask(own, own.answers[200], { params: { id }, body: { commandId: newId(), rule } })
    },
    async dismiss(rule) {
      const { dismissPermissionSuggestion: route } = ownRoutes
      await ask(route, route.answers[200], { body: { rule } })
    },
  }
}
