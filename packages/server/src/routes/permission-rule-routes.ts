import { allRecords, type Records } from '@holdfast/conversation'
import { ALWAYS_RULE, type Engine, type RuleReport, type Suggestions } from '@holdfast/engine'
import { type PastCallRow, type RuleTrialAnswer, routes, type SuggestionsAnswer } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'

/** What the routes about rules for calls need. */
export interface PermissionRuleRoutesDeps extends BindDeps {
  readonly engine: Pick<Engine, 'suggestRules' | 'tryRule'>
  readonly records: Records
}

type PastCall = Suggestions['suggestions'][number]['examples'][number]

/** Serves the rules for calls, what the past suggests, and what a rule would have done. [PERM5] */
export function bindPermissionRules(deps: PermissionRuleRoutesDeps): void {
  bindRulesForAll(deps)
  bindHistory(deps)
}

function bindRulesForAll({ records, ...deps }: PermissionRuleRoutesDeps): void {
  bindRoute(deps, routes.listPermissionRules, async ({ userId, answer }) => {
    const found = await allRecords(records, ALWAYS_RULE, userId)
    return answer(200, { rules: found.map(({ id, value: { isGeneral: _, ...rule } }) => ({ ruleId: id, ...rule })) })
  })
}

function bindHistory({ engine, ...deps }: PermissionRuleRoutesDeps): void {
  bindRoute(deps, routes.suggestPermissionRules, async ({ userId, answer }) =>
    answer(200, toSuggestions(await engine.suggestRules({ ownerId: userId, conversationId: null }))),
  )

  bindRoute(deps, routes.suggestConversationRules, async ({ params: { id }, userId, answer }) =>
    answer(200, toSuggestions(await engine.suggestRules({ ownerId: userId, conversationId: id }))),
  )

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

export function toTrial({ trial: { examples, ...figures }, rule, isKnownTool, extent }: RuleReport): RuleTrialAnswer {
  const rows = examples.map(({ call, ...tried }) => ({ ...toRow(call), ...tried }))
  return { rule, isKnownTool, ...figures, examples: rows, extent }
}

function toRow({ conversationId, seq, at, question: { call } }: PastCall): PastCallRow {
  return { conversationId, seq, at, tool: call.name, input: call.input }
}
