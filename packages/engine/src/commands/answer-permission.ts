import type { ConversationRule, Entry, EntryOf, NewEntry, Overview, PendingPermission } from '@holdfast/conversation'
import { grantFor } from '@holdfast/tool'
import type { Answered } from '../api/answered.ts'
import type { AnswerPermission } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { scopeNotOffered, unknownPermissionRequest } from '../api/refused-command-error.ts'
import { rejudge } from '../calls/rejudge.ts'
import { ALWAYS_RULE, alwaysRulesOf } from '../chosen/always-rules.ts'
import { toolsByName } from '../chosen/conversation-tools.ts'
import { ownerOf } from '../chosen/owner.ts'
import { hasEntry } from '../log/has-entry.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOutPrepared } from './carry-out.ts'

/**
 * Writes down a person's answer. The first one wins; an answer to a settled request changes nothing and says so.
 * One to a request that there never was is refused. A wider yes leaves a rule, and the other open requests are judged by
 * it at once. [PERM3, PERM5, PERM8, PERM13]
 *
 * @throws {RefusedCommandError}
 */
export async function answerPermission(ports: EnginePorts, log: LiveLog, command: AnswerPermission): Promise<Answered> {
  const { requestId, decision, scope, pattern, reason } = command
  const ruleId = ports.ids.next('rule')
  const alwaysRules = await alwaysRulesOf(ports.records, await ownerOf(log))
  const asked = ['answer', requestId, decision, scope, pattern ?? null, reason ?? null]
  const decide = (state: Overview): readonly NewEntry[] => {
    const request = requestIn(state, command)
    if (!request) return []
    if (command.actor.type !== 'person' || command.actor.userId !== request.userId)
      throw unknownPermissionRequest(requestId)
    const settled = answerEntry(command)
    const rule = decision === 'allow' ? ruleOf({ ports, log, state, request, command, ruleId }) : null
    if (rule === null) return [settled]
    const wider = { ...state, permissionRules: [...state.permissionRules, rule] }
    return [
      settled,
      ruleEntry(command, rule),
      ...rejudge({ ports, log, state: wider, alwaysRules, command }, requestId),
    ]
  }
  const { entries } = await carryOutPrepared(ports, log, { command, asked }, async () => {
    const isKnown = requestIn(log.overview(), command) !== undefined
    const wasAsked = isKnown || (await hasEntry(ports, log.conversationId, (entry) => isRequest(entry, command)))
    if (!wasAsked) throw unknownPermissionRequest(requestId)
    return decide
  })
  const rule = entries.find((entry) => entry.type === 'permission-rule-changed')
  if (scope === 'always' && rule?.rule) await keepForAll(ports, log, { id: rule.ruleId, ...rule.rule })
  return { accepted: entries.length > 0 }
}

function requestIn({ pendingPermissions }: Overview, { requestId }: AnswerPermission): PendingPermission | undefined {
  return pendingPermissions.find((pending) => pending.requestId === requestId)
}

/** Whether it asked the person who answers. */
function isRequest(entry: Entry, { requestId, actor }: AnswerPermission): boolean {
  if (entry.type !== 'permission-requested' || entry.requestId !== requestId) return false
  return actor.type === 'person' && actor.userId === entry.userId
}

function answerEntry({ actor, commandId, requestId, decision, scope, reason }: AnswerPermission): NewEntry {
  const outcome = decision === 'allow' ? 'allowed' : 'denied'
  const by = decision === 'unattended' ? 'unattended' : 'person'
  const words = reason === undefined ? {} : { reason }
  return { type: 'permission-settled', actor, commandId, requestId, outcome, by, scope, ...words }
}

function ruleEntry(
  { actor, commandId }: AnswerPermission,
  { ruleId, givenAt: _, ...rule }: ConversationRule,
): NewEntry {
  return { type: 'permission-rule-changed', actor, commandId, ruleId, rule }
}

interface Yes {
  readonly ports: EnginePorts
  readonly log: LiveLog
  readonly state: Overview
  readonly request: PendingPermission
  readonly command: AnswerPermission
  readonly ruleId: string
}

/** The rule that a yes leaves; null for one call. @throws {RefusedCommandError} */
function ruleOf({ ports, log, state, request, command, ruleId }: Yes): ConversationRule | null {
  const { tool: name, input } = request
  const definition = toolsByName(ports, log.conversationId, state).get(name)?.definition
  const { scope, pattern } = command
  const agreed = pattern === undefined ? {} : { pattern }
  const grant = grantFor({ call: { name, input }, definition, scope, ruleId, ...agreed })
  if (grant === null || (scope === 'always' && ports.records === null)) throw scopeNotOffered(scope, name)
  if (grant.rule === null) return null
  const { id, ...rule } = grant.rule
  return { ...rule, ruleId: id, givenAt: ports.clock.now() }
}

/** Keeps a rule for all conversations of the owner. The conversation has it in its own log already. */
async function keepForAll(
  { records, clock }: EnginePorts,
  log: LiveLog,
  { id, ...rule }: { readonly id: string } & NonNullable<EntryOf<'permission-rule-changed'>['rule']>,
): Promise<void> {
  const ownerId = await ownerOf(log)
  if (records === null || (await records.get(ALWAYS_RULE, { ownerId, id }))) return
  const value = ALWAYS_RULE.schema.parse({ ...rule, givenIn: log.conversationId })
  await records.put(ALWAYS_RULE, { ownerId, id, revision: 0, value, at: clock.now() })
}
