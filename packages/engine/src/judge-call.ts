import type { ConversationRule, ConversationSettings, Overview, Records } from '@holdfast/conversation'
import {
  CALL_LIMITS,
  type CallSubject,
  decidePermission,
  decideUnattended,
  type PermissionDecision,
  type PermissionRule,
  type Tool,
  type ToolDefinition,
} from '@holdfast/tool'
import * as z from 'zod'
import type { EnginePorts } from './ports.ts'

/** A rule that a person gave for all their conversations. [PERM5] */
export const ALWAYS_RULE = {
  kind: 'permission-rule',
  schema: z.object({ effect: z.enum(['allow', 'ask', 'deny']), tool: z.string(), pattern: z.string().exactOptional() }),
} as const

const MOST_ALWAYS_RULES = 1_000

/** The rules that an owner gave for all conversations. */
export async function alwaysRulesOf(records: Records | null, ownerId: string): Promise<readonly PermissionRule[]> {
  if (records === null) return []
  const found = await records.list(ALWAYS_RULE, { ownerId, limit: MOST_ALWAYS_RULES })
  return found.map(({ id, value }) => ({ id, ...value }))
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
export function judgeCall(
  { ports, state, tools, alwaysRules, unattended }: Bench,
  call: CallSubject,
  recentCalls: readonly CallSubject[],
): PermissionDecision {
  const { permissions } = ports
  const decide = unattended ? decideUnattended : decidePermission
  return decide({
    call,
    definition: tools.get(call.name)?.definition,
    mode: state.settings.permissionMode ?? permissions.mode,
    rules: [...permissions.rules, ...alwaysRules, ...state.permissionRules.map(toRule)],
    hardDenials: permissions.hardDenials,
    defaultPolicy: permissions.defaultPolicy,
    workspaceRoot: workspaceIn(ports, state.settings),
    recentCalls,
    identicalCallLimit: CALL_LIMITS.identicalCalls,
    untrustedContent: hasReadStrangers(state, tools),
  })
}

/** The folder that the tools of a conversation may touch; null for none. [WS1] */
export function workspaceIn(
  { workspaceOf, permissions }: Pick<EnginePorts, 'workspaceOf' | 'permissions'>,
  settings: ConversationSettings,
): string | null {
  return workspaceOf ? workspaceOf(settings) : permissions.workspaceRoot
}

/** The tools of a conversation by name. */
export function toolsByName({ toolsOf }: EnginePorts, conversationId: string, state: Overview): Map<string, Tool> {
  const tools = toolsOf({ conversationId, ownerId: state.ownerId ?? '', depth: state.depth, settings: state.settings })
  return new Map(tools.map((tool) => [tool.definition.name, tool]))
}

function toRule({ ruleId, ...rule }: ConversationRule): PermissionRule {
  return { id: ruleId, ...rule }
}

/** Whether a tool that brings what strangers wrote was called in the conversation. [PERM7] */
function hasReadStrangers({ toolMetrics }: Overview, tools: ReadonlyMap<string, Tool>): boolean {
  return Object.values(toolMetrics).some(({ name, callCount }) => {
    const definition = tools.get(name)?.definition
    return callCount > 0 && (definition === undefined || bringsStrangers(definition))
  })
}

function bringsStrangers({ category, annotations, claims }: ToolDefinition): boolean {
  return category === 'network' || annotations?.openWorld === true || claims !== undefined
}
