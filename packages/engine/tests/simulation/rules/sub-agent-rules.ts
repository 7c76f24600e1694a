import type { Entry, EntryOf } from '@holdfast/conversation'
import { SUB_AGENT_TOOL } from '../parts/simulated-tools.ts'
import type { ConversationWatch } from './conversation-watch.ts'
import type { Violate } from './violation.ts'

/** A call that runs a sub-agent, as it stands in its caller's log. */
interface WatchedTask {
  readonly caller: ConversationWatch
  readonly started: EntryOf<'tool-call-started'>
  /** How the call settled, or nothing while its run goes on. */
  settled: EntryOf<'tool-call-settled'> | null
  /** Nobody waits for it any more: the run of the call is over, or the call is. */
  isLeft: boolean
}

/** The sub-agents of a world. */
export interface SubAgentRules {
  /** Looks at what has become durable since; every watch has looked before. */
  look(watches: readonly ConversationWatch[]): void
  /** Whether nobody waits for what runs in a conversation: only a person may bring on what a person asked for. */
  worksForNobody(watch: ConversationWatch): boolean
}

/**
 * Checks across logs that no call ends well before its sub-agent has, that what closes a run closes what its sub-agents do
 * first, and that none begins a task that nobody waits for any more. [AGENT3]
 */
export function createSubAgentRules(violate: Violate): SubAgentRules {
  /** By the conversation of the sub-agent. */
  const tasks = new Map<string, WatchedTask>()
  /** How much of each log has been looked at. */
  const seen = new Map<ConversationWatch, number>()
  let all: readonly ConversationWatch[] = []

  function watchOf(conversationId: string): ConversationWatch | undefined {
    return all.find((watch) => watch.conversationId === conversationId)
  }

  function tasksOf(caller: ConversationWatch, runId: string): readonly (readonly [string, WatchedTask])[] {
    return [...tasks].filter(([, task]) => task.caller === caller && task.started.runId === runId)
  }

  function started(caller: ConversationWatch, entry: EntryOf<'tool-call-started'>): void {
    const { childConversationId, callId, seq, name } = entry
    if (childConversationId === undefined) {
      if (name === SUB_AGENT_TOOL)
        violate('AGENT3', `Call ${callId} at ${seq} of ${caller.conversationId} does not name its conversation`)
      return
    }
    if (tasks.has(childConversationId))
      violate(
        'AGENT3',
        `Call ${callId} at ${seq} of ${caller.conversationId} names ${childConversationId}, as another does`,
      )
    tasks.set(childConversationId, { caller, started: entry, settled: null, isLeft: false })
  }

  function settled(caller: ConversationWatch, entry: EntryOf<'tool-call-settled'>): void {
    const { stepId, callId, seq, outcome } = entry
    const [childId, task] =
      [...tasks].find(
        ([
          ,
          {
            caller: other,
            started: { stepId: step, callId: call },
          },
        ]) => other === caller && step === stepId && call === callId,
      ) ?? []
    if (childId === undefined || !task) return
    task.settled = entry
    const child = watchOf(childId)
    if (outcome === 'ok' && child && isOpen(child))
      violate('AGENT3', `Call ${callId} of ${caller.conversationId} ended well at ${seq}, and ${childId} works on`)
    if ((outcome === 'aborted' || outcome === 'timed-out') && child && isOpen(child) && !isStopping(child))
      violate(
        'AGENT3',
        `Call ${callId} of ${caller.conversationId} is ${outcome} at ${seq}, and nobody stops ${childId}`,
      )
  }

  function finished(caller: ConversationWatch, { runId, outcome, seq }: EntryOf<'run-finished'>): void {
    for (const [childId] of outcome === 'interrupted' ? tasksOf(caller, runId) : []) {
      const child = watchOf(childId)
      if (child && isOpen(child))
        violate(
          'AGENT3',
          `Run ${runId} of ${caller.conversationId} was closed at ${seq} before its sub-agent ${childId}`,
        )
    }
  }

  function take(watch: ConversationWatch, entry: Entry): void {
    switch (entry.type) {
      case 'tool-call-started': {
        started(watch, entry)
        return
      }
      case 'tool-call-settled': {
        settled(watch, entry)
        return
      }
      case 'run-finished': {
        finished(watch, entry)
        return
      }
      case 'user-message-sent':
        // What happens in one moment has no order that can be seen from outside: what was left before counts.
        if (tasks.get(watch.conversationId)?.isLeft && entry.inputId === taskOf(watch))
          violate('AGENT3', `${watch.conversationId} begins its task at ${entry.seq}, and nobody waits for it`)
        return
      case 'stop-requested':
        if (entry.actor.type === 'engine' && !isTask(watch, entry.runId))
          violate('AGENT3', `${watch.conversationId} stops at ${entry.seq} for its caller what somebody else asked`)
        return
      default:
        return
    }
  }

  return {
    look(watches) {
      all = watches
      for (const watch of watches) {
        for (const entry of watch.entries.slice(seen.get(watch) ?? 0)) take(watch, entry)
        seen.set(watch, watch.entries.length)
      }
      for (const task of tasks.values()) {
        const { exclusive } = task.caller.state().runState
        task.isLeft ||= task.settled !== null || exclusive?.runId !== task.started.runId
      }
    },
    worksForNobody: (watch) => tasks.get(watch.conversationId)?.isLeft === true && isOpen(watch),
  }
}

/** The task of a sub-agent, as an input: what its caller wrote; null before that. */
function taskOf({ entries }: ConversationWatch): string | null {
  const task = entries.find((entry) => entry.type === 'input-admitted' && entry.actor.type === 'agent')
  return task?.type === 'input-admitted' ? task.inputId : null
}

/** Whether a sub-agent does its task. */
function isOpen(watch: ConversationWatch): boolean {
  const { exclusive } = watch.state().runState
  return exclusive !== null && isTask(watch, exclusive.runId)
}

function isStopping(watch: ConversationWatch): boolean {
  return watch.state().runState.exclusive?.stopRequestedAt !== null
}

/** Whether a turn was begun by the task: what is written to a sub-agent while it works is a part of that. */
function isTask(watch: ConversationWatch, runId: string): boolean {
  const began = watch.entries.find((entry) => entry.type === 'user-message-sent' && entry.runId === runId)
  return began?.type === 'user-message-sent' && began.inputId === taskOf(watch)
}
