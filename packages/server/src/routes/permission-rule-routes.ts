import type { ConversationIndex, Records } from '@holdfast/conversation'
import { ALWAYS_RULE, type Engine, type RuleReport, type Suggestions } from '@holdfast/engine'
import { type PastCallRow, type RuleTrialAnswer, routes, type SuggestionsAnswer } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { Principal } from '../parts/principal.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { UserCommands } from '../parts/user-commands.ts'

/** What the routes about rules for calls need. */
export interface PermissionRuleRoutesDeps extends BindDeps {
  readonly engine: Pick<Engine, 'suggestRules' | 'tryRule' | 'dismissSuggestion'>
  readonly commands: Pick<UserCommands, 'addRule' | 'addAlwaysRule' | 'carryOut' | 'checkAccepting'>
  readonly records: Records
  readonly store: Pick<ConversationIndex, 'readListing'>
}

const MOST_RULES = 1_000

type PastCall = Suggestions['suggestions'][number]['examples'][number]

/** Serves the rules for calls, what the past suggests, and what a rule would have done. [PERM5] */
export function bindPermissionRules(deps: PermissionRuleRoutesDeps): void {
  bindRulesForAll(deps)
  bindHistory(deps)
}

function bindRulesForAll({ records, commands, store, ...deps }: PermissionRuleRoutesDeps): void {
  bindRoute(deps, routes.listPermissionRules, async ({ userId, answer }) => {
    const found = await records.list(ALWAYS_RULE, { ownerId: userId, limit: MOST_RULES })
    return answer(200, { rules: found.map(({ id, value: { isGeneral: _, ...rule } }) => ({ ruleId: id, ...rule })) })
  })

  bindRoute(deps, routes.addPermissionRule, async ({ body: { rule }, userId, answer }) => {
    const { ruleId, isNew } = await commands.addAlwaysRule(userId, rule)
    return answer(isNew ? 201 : 200, { ruleId })
  })

  bindRoute(deps, routes.revokePermissionRule, async ({ params: { ruleId }, userId, principal, answer }) => {
    const found = await records.get(ALWAYS_RULE, { ownerId: userId, id: ruleId })
    if (!found)
      throw new RefusedError(404, 'unknown-rule', `There is no rule ${ruleId}; GET /permission-rules lists them`)
    await revokeWhereGiven(principal, ruleId, found.value.givenIn)
    await records.remove(ALWAYS_RULE, { ownerId: userId, id: ruleId, revision: found.revision })
    return answer(200, { ruleId })
  })

  bindRoute(deps, routes.addConversationRule, async ({ params: { id }, body, userId, answer }) =>
    answer(200, await commands.addRule(userId, { conversationId: id, ...body })),
  )

  /** Its conversation first: what is broken off in between is done by asking again. */
  async function revokeWhereGiven(
    principal: Principal,
    ruleId: string,
    conversationId: string | undefined,
  ): Promise<void> {
    const { userId } = principal
    if (conversationId === undefined || (await store.readListing(conversationId))?.ownerId !== userId) return
    const command = { type: 'command', name: 'revoke-rule', commandId: `revoke:${ruleId}` } as const
    await commands.carryOut(principal, { ...command, conversationId, ruleId })
  }
}

function bindHistory({ engine, commands, ...deps }: PermissionRuleRoutesDeps): void {
  bindRoute(deps, routes.suggestPermissionRules, async ({ userId, answer }) =>
    answer(200, toSuggestions(await engine.suggestRules({ ownerId: userId, conversationId: null }))),
  )

  bindRoute(deps, routes.suggestConversationRules, async ({ params: { id }, userId, answer }) =>
    answer(200, toSuggestions(await engine.suggestRules({ ownerId: userId, conversationId: id }))),
  )

  bindRoute(deps, routes.dismissPermissionSuggestion, async ({ body: { rule }, userId, answer }) => {
    commands.checkAccepting()
    await engine.dismissSuggestion({ ownerId: userId, rule })
    return answer(200, { dismissed: true })
  })

  bindRoute(deps, routes.tryPermissionRule, async ({ body: { rule }, userId, answer }) =>
    answer(200, toTrial(await engine.tryRule({ ownerId: userId, conversationId: null, rule }))),
  )

  bindRoute(deps, routes.tryConversationRule, async ({ params: { id }, body: { rule }, userId, answer }) =>
    answer(200, toTrial(await engine.tryRule({ ownerId: userId, conversationId: id, rule }))),
  )
}

function toSuggestions({ suggestions, extent }: Suggestions): SuggestionsAnswer {
  return {
    suggestions: suggestions.map(({ examples, ...suggestion }) => ({ ...suggestion, examples: examples.map(toRow) })),
    extent,
  }
}

function toTrial({ trial: { examples, ...figures }, rule, isKnownTool, extent }: RuleReport): RuleTrialAnswer {
  const rows = examples.map(({ call, ...tried }) => ({ ...toRow(call), ...tried }))
  return { rule, isKnownTool, ...figures, examples: rows, extent }
}

function toRow({ conversationId, seq, at, question: { call } }: PastCall): PastCallRow {
  return { conversationId, seq, at, tool: call.name, input: call.input }
}
