import { waitUntil } from '@holdfast/conversation'
import { isReadOnly, type Tool } from '@holdfast/tool'
import { LIMITS } from '../api/ports.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import type { JudgedCall } from './judge-open-calls.ts'

/** Whether a person has yet to answer about it. */
export function isOpenYet({ verdict: { type } }: JudgedCall): boolean {
  return type === 'asks' || type === 'waits'
}

/** Waits for the next entry of the conversation. @returns false when all that was begun ended before, or none was. */
export async function answeredMeanwhile(
  { ports: { bus, clock }, log: { conversationId }, signal }: RunAtWork,
  begun: ReadonlyMap<string, Promise<void>>,
): Promise<boolean> {
  if (begun.size === 0) return false
  const [bell, over] = [new AbortController(), new AbortController()]
  const unsubscribe = bus.subscribe(conversationId, ({ type }) => {
    if (type === 'entries') bell.abort()
  })
  void Promise.allSettled(begun.values()).then(() => over.abort())
  try {
    await waitUntil(clock, clock.now() + LIMITS.pollMs, AbortSignal.any([signal, bell.signal, over.signal]))
    return !signal.aborted && !over.signal.aborted
  } finally {
    unsubscribe()
  }
}

/** The calls at the front that may be settled side by side. */
export async function firstGroup(calls: readonly JudgedCall[]): Promise<readonly JudgedCall[]> {
  for (const [index, { open, tool, call }] of calls.entries()) {
    if (reads(tool) || runsElsewhere(open, tool) || (await tool?.runsApart?.(call)) === true) continue
    return calls.slice(0, Math.max(1, index))
  }
  return calls
}

/** Whether it begins as soon as a person has allowed it, also while others run. [AGENT59, AGENT73] */
export function mayBeginBeside({ tool }: JudgedCall): boolean {
  return tool?.runsApart !== undefined || tool?.runsElsewhere === true
}

/** Whether calls of a tool change nothing. */
export function reads(tool: Tool | undefined): boolean {
  return tool !== undefined && isReadOnly(tool.definition)
}

/** Whether the client or an agent runs it: the calls of a step are handed to it together, and it decides about their order. [TOOL18, AGENT1] */
function runsElsewhere({ handedOverAt }: JudgedCall['open'], tool: Tool | undefined): boolean {
  return handedOverAt !== null || tool?.definition.runsAt === 'client' || tool?.runsElsewhere === true
}
