import type { ConversationRule, ConversationSettings, Overview, Records } from '@holdfast/conversation'
import {
  CALL_LIMITS,
  type CallSubject,
  createFindTools,
  decidePermission,
  decideUnattended,
  FIND_TOOLS,
  type PermissionDecision,
  type PermissionQuestion,
  type PermissionRule,
  type Tool,
} from '@holdfast/tool'
import * as z from 'zod'
import type { EnginePorts, ToolsQuery } from './ports.ts'

/** A rule that a person gave for all their conversations. [PERM5] */
export const ALWAYS_RULE = {
  kind: 'permission-rule',
  schema: z.object({
    effect: z.enum(['allow', 'ask', 'deny']),
    tool: z.string(),
    pattern: z.string().exactOptional(),
    /** Given with no call before the person's eyes: it says nothing about what strangers wrote in a conversation. [PERM7] */
    isGeneral: z.literal(true).exactOptional(),
    /** The conversation in which it was given: its log has the rule too, and loses it with this one. */
    givenIn: z.string().exactOptional(),
  }),
} as const

const MOST_ALWAYS_RULES = 1_000

/** The rules that an owner gave for all conversations. */
export async function alwaysRulesOf(records: Records | null, ownerId: string): Promise<readonly PermissionRule[]> {
  if (records === null) return []
  const found = await records.list(ALWAYS_RULE, { ownerId, limit: MOST_ALWAYS_RULES })
  return found.map(({ id, value: { isGeneral, givenIn: _, ...rule }, updatedAt }) =>
    isGeneral ? { id, ...rule } : { id, givenAt: updatedAt, ...rule },
  )
}

/** What a call is judged by, beside itself. */
export interface Bench {
  readonly ports: EnginePorts
  readonly state: Overview
  readonly tools: ReadonlyMap<string, Tool>
  readonly alwaysRules: readonly PermissionRule[]
  readonly unattended: boolean
}

/** Decides about a call by everything that holds at this moment. [PERM1, PERM8] */
export function judgeCall(bench: Bench, call: CallSubject, recentCalls: readonly CallSubject[]): PermissionDecision {
  const decide = bench.unattended ? decideUnattended : decidePermission
  return decide(questionAbout(bench, call, recentCalls))
}

/** All that a decision about a call depends on. */
export function questionAbout(
  { ports, state, tools, alwaysRules }: Omit<Bench, 'unattended'>,
  call: CallSubject,
  recentCalls: readonly CallSubject[],
): PermissionQuestion {
  const { permissions } = ports
  return {
    call,
    definition: tools.get(call.name)?.definition,
    mode: state.settings.permissionMode ?? permissions.mode,
    rules: [...permissions.rules, ...alwaysRules, ...state.permissionRules.map(toRule)],
    hardDenials: permissions.hardDenials,
    defaultPolicy: permissions.defaultPolicy,
    workspaceRoot: workspaceIn(ports, state.settings),
    recentCalls,
    identicalCallLimit: CALL_LIMITS.identicalCalls,
    untrustedContent: state.strangersAt !== null,
    ...(state.strangersAt === null ? {} : { strangersAt: state.strangersAt }),
    ...(state.strangersFrom === null ? {} : { strangersFrom: state.strangersFrom }),
  }
}

/** The folder that the tools of a conversation may touch; null for none. [WS1] */
export function workspaceIn(
  { workspaceOf, permissions }: Pick<EnginePorts, 'workspaceOf' | 'permissions'>,
  settings: ConversationSettings,
): string | null {
  return workspaceOf ? workspaceOf(settings) : permissions.workspaceRoot
}

/** The tools of a conversation by name, without those of sources that are off in it. */
export function toolsByName({ toolsOf }: EnginePorts, conversationId: string, state: Overview): Map<string, Tool> {
  const { excludedSources, toolMode } = state.settings
  const excluded = new Set(excludedSources)
  const tools = toolsOf(toolsQuery(conversationId, state)).filter(
    ({ definition: { source } }) => source === undefined || !excluded.has(source),
  )
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  if (toolMode !== 'auto') return byName
  const deferred = tools.map(({ definition }) => definition).filter((definition) => definition.deferred)
  return deferred.length === 0 ? byName : byName.set(FIND_TOOLS, createFindTools(deferred))
}

/** Asks for the tools of a conversation as it is now. */
export function toolsQuery(conversationId: string, { ownerId, depth, settings }: Overview): ToolsQuery {
  return { conversationId, ownerId: ownerId ?? '', depth, settings }
}

function toRule({ ruleId, ...rule }: ConversationRule): PermissionRule {
  return { id: ruleId, ...rule }
}
