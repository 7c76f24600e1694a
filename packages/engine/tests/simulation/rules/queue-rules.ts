import type { Entry, EntryOf, InputPart } from '@holdfast/conversation'
import { LIMITS } from '../../../src/api/ports.ts'
import { sorted } from './run-rules.ts'
import type { Violate } from './violation.ts'

interface WatchedInput {
  content: readonly InputPart[]
  lockedAt: number | null
  /** Somebody sent it, or asked for it, after the run was asked to stop: it goes before what is held. */
  urgent: boolean
  fate: 'waits' | 'sent' | 'removed'
}

/** The inputs of one log. */
export interface QueueRules {
  take(entry: Entry, next: Entry | undefined): void
  /** Inputs that wait, oldest first. */
  waiting(): readonly string[]
  isHeld(): boolean
  /** The turn that goes on now by itself behind one that somebody asked to stop after its end, in words. [STOP13] */
  goesOnAfter(runId: string): readonly string[]
  whenQuiet(): void
}

/** Checks that every input is sent, removed or waiting, once; that nothing held is sent by itself; nothing locked is sent. */
export function createQueueRules(violate: Violate): QueueRules {
  const inputs = new Map<string, WatchedInput>()
  let held = false
  const stopped = new Set<string>()
  const isStopping = (runId: string): boolean => stopped.has(runId)
  let stoppingRunId: string | null = null
  /** The open turn, and the ended one behind which it came out of the queue by itself. */
  let open: { readonly runId: string; readonly behind: string | null } | null = null
  let ended: { readonly runId: string; readonly seq: number } | null = null
  const admittedAt = new Map<string, number>()
  /** Titles are beside the queue: they hold nothing, whatever their end. */
  const titles = new Set<string>()

  function admitted({ inputId, seq, content, origin }: EntryOf<'input-admitted'>): void {
    if (inputs.has(inputId)) violate('RUN2', `Input ${inputId} was admitted twice, again at ${seq}`)
    const urgent = stoppingRunId !== null && origin === 'person'
    admittedAt.set(inputId, seq)
    inputs.set(inputId, { content, lockedAt: null, urgent, fate: 'waits' })
  }

  function changed({ inputId, seq, at, content, lockedBy, sendNow }: EntryOf<'input-changed'>): void {
    const input = inputs.get(inputId)
    if (input?.fate !== 'waits') {
      violate('RUN2', `Input ${inputId} was changed at ${seq} and does not wait`)
      return
    }
    if (content) input.content = content
    if (lockedBy !== undefined) input.lockedAt = lockedBy === null ? null : at
    if (sendNow) input.urgent = true
  }

  function sent({ inputId, runId, seq, content, at }: EntryOf<'user-message-sent'>): void {
    const input = inputs.get(inputId)
    if (input?.fate !== 'waits') {
      violate('RUN2', `Input ${inputId} was sent at ${seq} and did not wait`)
      return
    }
    if (JSON.stringify(sorted(input.content)) !== JSON.stringify(sorted(content)))
      violate('SYNC2', `Input ${inputId} was sent at ${seq} with other words than were written`)
    if (held && !input.urgent) violate('STOP9', `Input ${inputId} was sent at ${seq} while the queue was held`)
    // A clock that was put back makes a lock look younger than it is; the entry's own time says when it was sent.
    if (input.lockedAt !== null && at >= input.lockedAt && at < input.lockedAt + LIMITS.inputLockMs / 2)
      violate('STOP9', `Input ${inputId} was sent at ${seq} while somebody edited it`)
    input.fate = 'sent'
    if (open?.runId === runId) return
    if (!input.urgent && [...inputs.values()].some(({ fate, urgent }) => fate === 'waits' && urgent))
      violate('STOP11', `Input ${inputId} was sent at ${seq} before one that was sent after a stop`)
    const waited = ended !== null && (admittedAt.get(inputId) ?? seq) < ended.seq && !input.urgent
    open = { runId, behind: waited ? (ended?.runId ?? null) : null }
  }

  function runFinished({ runId, outcome, seq }: EntryOf<'run-finished'>, next: Entry | undefined): void {
    if (stoppingRunId === runId) stoppingRunId = null
    if (titles.has(runId)) return
    if (open?.runId === runId) {
      ended = { runId, seq }
      open = null
    }
    const waits = [...inputs.values()].filter(({ fate }) => fate === 'waits')
    if (outcome === 'completed' || held || waits.length === 0 || waits.some(({ urgent }) => urgent)) return
    if (next?.type !== 'queue-held')
      violate('STOP9', `Run ${runId} ended as ${outcome} at ${seq} and the queue was not held`)
  }

  function noneUrgent(): void {
    for (const input of inputs.values()) input.urgent = false
  }

  function waiting(): string[] {
    return [...inputs].filter(([, { fate }]) => fate === 'waits').map(([inputId]) => inputId)
  }

  return {
    waiting,
    isHeld: () => held,
    goesOnAfter: (runId) =>
      open?.behind === runId && !isStopping(open.runId) ? [`turn ${open.runId} goes on behind ${runId}`] : [],
    take(entry, next) {
      switch (entry.type) {
        case 'input-admitted': {
          admitted(entry)
          return
        }
        case 'input-changed': {
          changed(entry)
          return
        }
        case 'input-removed': {
          const input = inputs.get(entry.inputId)
          if (input?.fate !== 'waits') {
            violate('RUN2', `Input ${entry.inputId} was removed at ${entry.seq} and did not wait`)
            return
          }
          input.fate = 'removed'
          return
        }
        case 'user-message-sent': {
          sent(entry)
          return
        }
        case 'queue-held':
          held = true
          if (entry.reason === 'stopped') noneUrgent()
          return
        case 'queue-released':
          held = false
          ended = null
          // Who lets the queue go on has seen what runs.
          if (open !== null) open = { runId: open.runId, behind: null }
          return
        case 'run-started':
          if (entry.purpose === 'title') titles.add(entry.runId)
          return
        case 'stop-requested':
          // What was sent before a person said stop waits with all else.
          if (entry.mode === 'stop' && open?.runId === entry.runId && !stopped.has(entry.runId)) noneUrgent()
          // A stop of a title counts: what is sent after any stop goes before the others.
          stoppingRunId = entry.runId
          stopped.add(entry.runId)
          if (ended?.runId === entry.runId) ended = null
          return
        case 'run-finished': {
          runFinished(entry, next)
          return
        }
        default:
          return
      }
    },
    whenQuiet() {
      if (held) return
      for (const inputId of waiting()) violate('RUN2', `Input ${inputId} waits for ever in a queue that is not held`)
    },
  }
}
