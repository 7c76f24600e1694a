import { RuleAnnotations, type ToolCategory, type WrittenPermissionRule } from '@holdfast/conversation'
import { type HistoryExtentAnswer, type RuleTrialAnswer, routes, type SuggestionsAnswer } from '@holdfast/protocol'
import { ruleWords } from '@holdfast/tool'
import type { Api } from '../reach/api.ts'
import { withApi } from '../reach/with-api.ts'
import { plainText } from '../terminal/plain-text.ts'
import { newCommandId } from '../terminal/turn.ts'

/** What every command about rules is told. */
export interface PermissionsOptions {
  readonly dataDir?: string
}

/** What is told where a command is about one conversation or about all. */
export interface ConversationOptions extends PermissionsOptions {
  readonly conversation?: string
}

/** What is told with a rule. */
export interface RuleOptions extends PermissionsOptions {
  readonly then: WrittenPermissionRule['effect']
  readonly category?: readonly ToolCategory[]
  /** Each as `destructive=false`. */
  readonly annotation?: readonly string[]
  readonly conversation?: string
}

/** Which calls a rule is for; `pattern` null for every call of the tool. */
export interface RuleWords {
  readonly tool: string
  readonly pattern: string | null
}

/** Says which rules hold. @returns the exit code. */
export async function listRules({
  json,
  conversation,
  ...options
}: ConversationOptions & { readonly json: boolean }): Promise<number> {
  return withApi(options, async (api) => {
    const rules = await rulesOf(api, conversation)
    if (json) print(JSON.stringify({ rules }))
    else for (const { ruleId, ...rule } of rules) print(`${plainText(ruleId)}  ${inWords(rule)}`)
    const others = conversation === undefined ? ' and of single conversations' : ''
    tell(`${counted(rules.length, 'rule')}. Rules of the operator's file${others} are not here.`)
    return 0
  })
}

async function rulesOf(api: Api, conversationId: string | undefined) {
  if (conversationId === undefined) return (await api.call(routes.listPermissionRules, {})).rules
  return (await api.call(routes.listPermissions, { params: { id: conversationId } })).rules
}

/** Takes rules back. @returns the exit code. */
export async function revokeRules(
  ids: readonly string[],
  { conversation: id, ...options }: ConversationOptions,
): Promise<number> {
  return withApi(options, async (api) => {
    for (const ruleId of ids) {
      if (id === undefined) await api.call(routes.revokePermissionRule, { params: { ruleId } })
      else await api.call(routes.revokeRule, { params: { id, ruleId }, query: { commandId: newCommandId() } })
    }
    tell(`Took back ${counted(ids.length, 'rule')}.`)
    return 0
  })
}

/** Says what the past suggests. @returns the exit code. */
export async function suggestRules({
  json,
  conversation: id,
  ...options
}: ConversationOptions & { readonly json: boolean }): Promise<number> {
  return withApi(options, async (api) => {
    const answer: SuggestionsAnswer =
      id === undefined
        ? await api.call(routes.suggestPermissionRules, {})
        : await api.call(routes.suggestConversationRules, { params: { id } })
    if (json) print(JSON.stringify(answer))
    else
      for (const { rule, answeredCount, lastAt } of answer.suggestions)
        print(`${inWords(rule)}  (answered so ${answeredCount} times, last ${day(lastAt)})\n  ${commandFor(rule)}`)
    tell(`${counted(answer.suggestions.length, 'suggestion')}. ${extentWords(answer.extent)}`)
    return 0
  })
}

/** Says what a rule would have done. @returns the exit code. */
export async function tryRule(
  words: RuleWords,
  { json, conversation: id, ...options }: RuleOptions & { readonly json: boolean },
): Promise<number> {
  return withApi(options, async (api) => {
    const body = { rule: toRule(words, options) }
    const answer: RuleTrialAnswer =
      id === undefined
        ? await api.call(routes.tryPermissionRule, { body })
        : await api.call(routes.tryConversationRule, { params: { id }, body })
    print(json ? JSON.stringify(answer) : trialWords(answer))
    tell(extentWords(answer.extent))
    return 0
  })
}

/** Adds a rule for all conversations. @returns the exit code. */
export async function addRule(words: RuleWords, options: RuleOptions): Promise<number> {
  return withApi(options, async (api) => {
    const { ruleId } = await api.call(routes.addPermissionRule, { body: { rule: toRule(words, options) } })
    print(ruleId)
    tell(
      `From the next call on: ${inWords(toRule(words, options))}. Take it back with: holdfast permissions revoke ${ruleId}`,
    )
    return 0
  })
}

function toRule(
  { tool, pattern }: RuleWords,
  { then, category, annotation }: Pick<RuleOptions, 'then' | 'category' | 'annotation'>,
): WrittenPermissionRule {
  const marks = (annotation ?? []).map((word) => word.split('=', 2))
  return {
    effect: then,
    tool,
    ...(pattern === null ? {} : { pattern }),
    ...(category === undefined ? {} : { category }),
    ...(annotation === undefined
      ? {}
      : {
          annotations: RuleAnnotations.parse(
            Object.fromEntries(marks.map(([name, value]) => [name, value === 'true'])),
          ),
        }),
  }
}

function trialWords(trial: RuleTrialAnswer): string {
  const { rule, isKnownTool, callCount, without, with: after, savedCount, againstCount, examples } = trial
  const figures = (counts: RuleTrialAnswer['with']) =>
    `${counts.allow} allowed, ${counts.ask} asked, ${counts.deny} denied`
  return [
    `${inWords(rule)}: ${counted(callCount, 'past call')}`,
    ...(isKnownTool ? [] : [`There is no tool ${rule.tool} now: check the name, or connect its server.`]),
    `  without it: ${figures(without)}`,
    `  with it:    ${figures(after)}`,
    `  answers it would have given as you gave them: ${savedCount}`,
    `  answers of yours that would have been different: ${againstCount}`,
    ...examples.map(({ input, without: before, with: then, said, isAgainst }) => {
      const answer = said === null ? 'nobody answered' : `you ${said} it`
      return `  ${isAgainst ? '!' : ' '} ${before} → ${then}  (${answer})  ${JSON.stringify(input)}`
    }),
  ].join('\n')
}

function extentWords({ callCount, conversationCount, unseenCount, isCut }: HistoryExtentAnswer): string {
  const unseen = unseenCount === 0 ? '' : ` ${unseenCount} were too long to be looked at.`
  const more = isCut ? ' There are more, which were not looked at.' : ''
  return `Looked at ${counted(callCount, 'call')} in ${counted(conversationCount, 'conversation')}.${unseen}${more}`
}

/** Names and patterns come from tools: nothing in them reaches the terminal as more than text. */
function inWords(rule: WrittenPermissionRule): string {
  return plainText(`${rule.effect} ${ruleWords(rule)}`)
}

/** The command that adds it, to be copied. */
function commandFor({ effect, tool, pattern }: WrittenPermissionRule): string {
  const quoted = pattern === undefined ? '' : ` '${pattern.replaceAll("'", String.raw`'\''`)}'`
  return plainText(`holdfast permissions add ${tool}${quoted}${effect === 'allow' ? '' : ` --then ${effect}`}`)
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function tell(words: string): void {
  process.stderr.write(`${words}\n`)
}
