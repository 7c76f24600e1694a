import type { Overview } from '@holdfast/conversation'
import {
  type CallSubject,
  type LoggedCall,
  type LoggedCalls,
  loggedCalls,
  mayBeDenied,
  type PastCall,
  recentCallCount,
} from '@holdfast/tool'
import type { HistoryExtent, HistoryRange } from '../api/permission-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { type Judging, questionAbout } from '../calls/judge-call.ts'
import { alwaysRulesOf } from '../chosen/always-rules.ts'
import { conversationsOf } from '../chosen/conversations-of.ts'
import { settingsOfLog } from '../chosen/settings-in-force.ts'
import { toolsToJudge } from '../commands/tools-to-judge.ts'
import { readOverview, readProjection } from '../log/log-states.ts'

/** Past calls of a person, as they would be judged now. */
export interface PermissionHistory {
  readonly pastCalls: readonly PastCall[]
  /** Tools of which a person denied something that is not among them. */
  readonly unseenDenials: readonly string[]
  readonly tools: Judging['tools']
  readonly extent: HistoryExtent
}

/** How much of the past is looked at for one answer. Lengths are those of inputs as JSON. */
const HISTORY_LIMITS = { conversations: 200, entries: 20_000, calls: 1_000, chars: 4_000_000 } as const

/**
 * The calls that a person was asked about, and those that ran or were denied without a question, newest conversations
 * first and within bounds. Each has the question as it would be put to the permission check again: under the rules of
 * now, in the mode and after the words of strangers of then. [PERM1]
 */
export async function readHistory(ports: EnginePorts, asked: HistoryRange): Promise<PermissionHistory> {
  const { ownerId, conversationId } = asked
  const alwaysRules = await alwaysRulesOf(ports.records, ownerId)
  const tools = await toolsToJudge(ports, asked)
  const pastCalls: PastCall[] = []
  const unseen = new Set<string>()
  const counts = { conversationCount: 0, entryCount: 0, callCount: 0, unseenCount: 0, charCount: 0 }
  let isCut = false
  for await (const id of idsOf(ports, asked)) {
    const { conversations, entries, calls, chars } = HISTORY_LIMITS
    if (counts.conversationCount >= conversations || counts.callCount >= calls || counts.charCount >= chars) {
      isCut = true
      break
    }
    const mostEntries = entries - counts.entryCount
    const { state, entryCount } =
      mostEntries > 0
        ? await readProjection(ports.store, loggedCalls, { conversationId: id, mostEntries })
        : { state: null, entryCount: 0 }
    counts.entryCount += entryCount
    if (state === null) {
      isCut = true
      continue
    }
    const overview = (await readOverview(ports.store, id)).state
    // A yes for one conversation is an answer of its person, and no rule for the others; a no and a question stay.
    const rules = overview.permissionRules.filter(({ effect }) => conversationId !== null || effect !== 'allow')
    const judging = { ports, tools, alwaysRules, schedule: null, state: { ...overview, permissionRules: rules } }
    const past = pastCallsOf(judging, { conversationId: id, logged: state })
    pastCalls.push(...past.calls)
    for (const tool of [...state.unseenDenials, ...past.unseenDenials]) unseen.add(tool)
    counts.conversationCount += 1
    counts.callCount += past.calls.length
    counts.unseenCount += past.unseenCount
    counts.charCount += past.charCount
  }
  const { conversationCount, callCount, unseenCount } = counts
  return {
    pastCalls,
    unseenDenials: [...unseen].sort(),
    tools,
    extent: { conversationCount, callCount, unseenCount, isCut },
  }
}

async function* idsOf(ports: EnginePorts, { ownerId, conversationId }: HistoryRange): AsyncIterable<string> {
  if (conversationId !== null) yield conversationId
  else for await (const listing of conversationsOf(ports.store, ownerId)) yield listing.conversationId
}

interface LoggedIn {
  readonly conversationId: string
  readonly logged: LoggedCalls
}

interface PastOfOne {
  readonly calls: readonly PastCall[]
  readonly unseenDenials: readonly string[]
  readonly unseenCount: number
  readonly charCount: number
}

function pastCallsOf(judging: Omit<Judging, 'unattended'>, { conversationId, logged }: LoggedIn): PastOfOne {
  const recentCount = recentCallCount(settingsOfLog(judging.ports, judging.state.settings).identicalCalls)
  const recent = new Map<string, CallSubject[]>()
  const calls: PastCall[] = []
  const unseenDenials: string[] = []
  let unseenCount = 0
  let charCount = 0
  for (const call of [...logged.denials, ...logged.calls]) {
    const { seq, at, runId, tool: name, input, fate } = call
    if (input === undefined) {
      if (fate !== null) unseenCount += 1
      if (mayBeDenied(fate)) unseenDenials.push(name)
      continue
    }
    const before = recent.get(runId) ?? []
    const subject = { name, input }
    if (fate !== null) {
      const state = stateAt(judging.state, call)
      calls.push({ conversationId, seq, at, question: questionAbout({ ...judging, state }, subject, before), fate })
      charCount += JSON.stringify(input).length
    }
    recent.set(runId, [...before, subject].slice(-recentCount))
  }
  return { calls, unseenDenials, unseenCount, charCount }
}

/** The state with what counted when the call was decided about. */
function stateAt(state: Overview, { mode, strangersAt }: LoggedCall): Overview {
  const settings = mode === null ? state.settings : { ...state.settings, permissionMode: mode }
  return { ...state, settings, strangersAt }
}
