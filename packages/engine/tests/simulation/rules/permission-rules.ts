import type { Entry, EntryOf, Overview } from '@holdfast/conversation'
import { sorted } from './run-rules.ts'
import type { Violate } from './violation.ts'

interface WatchedRequest {
  readonly entry: EntryOf<'permission-requested'>
  settled: EntryOf<'permission-settled'> | null
}

/** What a person allowed beyond one call. */
interface WatchedGrant {
  readonly scope: EntryOf<'permission-settled'>['scope']
  readonly tool: string
  readonly input: unknown
}

/** The permissions of one log. */
export interface PermissionRules {
  /** `before` is the state before the entry. */
  take(entry: Entry, before: Overview): void
  /** Requests that wait for a person. */
  waiting(): readonly EntryOf<'permission-requested'>[]
  settled(): readonly EntryOf<'permission-requested'>[]
}

/** Checks that no tool starts without a yes for exactly its arguments, and that one answer settles a request. */
export function createPermissionRules(violate: Violate): PermissionRules {
  const requests = new Map<string, WatchedRequest>()
  const grants = new Map<string, WatchedGrant>()
  let lastYes: WatchedRequest | null = null

  function settled(entry: EntryOf<'permission-settled'>): void {
    const request = requests.get(entry.requestId)
    if (!request) {
      violate('PERM3', `Request ${entry.requestId} was settled at ${entry.seq} and never asked`)
      return
    }
    if (request.settled) violate('PERM3', `Request ${entry.requestId} was settled twice, again at ${entry.seq}`)
    const { actor, by } = entry
    if (by === 'person' && (actor.type !== 'person' || actor.userId !== request.entry.userId))
      violate('PERM3', `Request ${entry.requestId} was answered at ${entry.seq} by somebody who was not asked`)
    request.settled ??= entry
    if (by === 'person') lastYes = request
  }

  function ruleChanged({ ruleId, rule, actor, seq }: EntryOf<'permission-rule-changed'>): void {
    if (rule === null) {
      grants.delete(ruleId)
      return
    }
    if (actor.type !== 'person' || !lastYes) {
      violate('PERM5', `Rule ${ruleId} at ${seq} was given by nobody`)
      return
    }
    const { tool, input } = lastYes.entry
    grants.set(ruleId, { scope: lastYes.settled?.scope, tool, input })
  }

  function started(entry: EntryOf<'tool-call-started'>, before: Overview): void {
    const { callId, seq, decision, name, input } = entry
    const mode = before.settings.permissionMode ?? 'ask'
    const inside = readsInside(name, input)
    // What a guard asks stands before the mode; the person said yes to exactly this call. [PERM1]
    const askedByGuard = requests.get(decision?.requestId ?? '')?.entry.source === 'guard'
    if (mode === 'plan' && !inside && !askedByGuard)
      violate('PERM1', `Call ${callId} of ${name} started at ${seq} in mode plan`)
    for (const { entry: asked, settled: answer } of requests.values())
      if (asked.callId === callId && asked.stepId === entry.stepId && answer?.outcome !== 'allowed')
        violate('PERM4', `Call ${callId} started at ${seq}; its request was ${answer?.outcome ?? 'not answered'}`)
    if (!decision) {
      violate('PERM8', `Call ${callId} of ${name} started at ${seq} without a decision`)
      return
    }
    // What would ask here is asked by the client. [TOOL18]
    if (entry.runsAt === 'client') return
    if (decision.requestId !== undefined) {
      byRequest(entry, decision.requestId)
      return
    }
    switch (decision.source) {
      case 'workspace-read':
        if (!inside) violate('PERM1', `Call ${callId} of ${name} started at ${seq} as reading inside the workspace`)
        return
      case 'accept-edits':
        if (mode !== 'accept-edits' || name !== 'write_file')
          violate('PERM8', `Call ${callId} of ${name} started at ${seq} as an accepted edit in mode ${mode}`)
        return
      case 'bypass':
        if (mode !== 'bypass') violate('PERM8', `Call ${callId} of ${name} started at ${seq} by bypass in mode ${mode}`)
        return
      case 'allow-rule':
        for (const ruleId of decision.ruleIds) byRule(entry, ruleId)
        return
      default:
        violate('PERM1', `Call ${callId} of ${name} started at ${seq} because of ${decision.source}`)
    }
  }

  function byRequest({ callId, seq, name, input }: EntryOf<'tool-call-started'>, requestId: string): void {
    const request = requests.get(requestId)
    const same = request && request.entry.tool === name && isSame(request.entry.input, input)
    if (request?.settled?.outcome !== 'allowed' || request.entry.callId !== callId || !same)
      violate('PERM4', `Call ${callId} of ${name} started at ${seq} without a yes for exactly its arguments`)
  }

  /** A rule for all conversations may have been given in another one: there it was checked. */
  function byRule({ callId, seq, name, input }: EntryOf<'tool-call-started'>, ruleId: string): void {
    const grant = grants.get(ruleId)
    if (!grant) return
    if (grant.scope !== 'category' && grant.tool !== name)
      violate('PERM5', `Call ${callId} of ${name} started at ${seq} by rule ${ruleId}, which is for ${grant.tool}`)
    const exact = grant.scope === 'pattern' || grant.scope === 'always'
    if (exact && !isSame(grant.input, input))
      violate('PERM5', `Call ${callId} started at ${seq} by rule ${ruleId}, which is for other arguments`)
  }

  return {
    take(entry, before) {
      switch (entry.type) {
        case 'permission-requested':
          if (requests.has(entry.requestId)) violate('PERM3', `Request ${entry.requestId} was asked twice`)
          requests.set(entry.requestId, { entry, settled: null })
          return
        case 'permission-settled': {
          settled(entry)
          return
        }
        case 'permission-rule-changed': {
          ruleChanged(entry)
          return
        }
        case 'tool-call-started': {
          started(entry, before)
          return
        }
        default:
          return
      }
    },
    waiting: () => [...requests.values()].filter((request) => !request.settled).map(({ entry }) => entry),
    settled: () => [...requests.values()].filter((request) => request.settled).map(({ entry }) => entry),
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

/** Whether a call of the simulated tools reads inside the workspace `/work`. */
function readsInside(name: string, input: unknown): boolean {
  if (name !== 'read_file' && name !== 'list_files') return false
  if (typeof input !== 'object' || input === null || !('path' in input) || typeof input.path !== 'string') return false
  return input.path.startsWith('/folder/') || !/^(?:\/|\.\.)/.test(input.path)
}
