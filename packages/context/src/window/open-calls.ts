import type { Entry } from '@holdfast/conversation'
import { toolResults } from '../request/tool-results.ts'
import { isAnswering } from '../sent/sent-steps.ts'

/**
 * The entries before the first answer whose calls are not all settled; all of them where no call is open. No checkpoint
 * is planned while it leaves any out, and no provider takes a request that is built from what it leaves out.
 */
export function untilOpenCalls(entries: readonly Entry[]): readonly Entry[] {
  const results = toolResults(entries, [])
  const answering = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    if (entry.type === 'step-started' && isAnswering(entry.purpose)) answering.add(entry.stepId)
    if (entry.type !== 'step-finished' || !answering.has(entry.stepId)) continue
    for (const block of entry.blocks) {
      if (block.type !== 'tool-call' || !block.complete) continue
      if (!results.take(entry.stepId, block.callId)) return entries.slice(0, index)
    }
  }
  return entries
}
