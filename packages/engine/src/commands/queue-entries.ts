import type { NewEntry, Overview } from '@holdfast/conversation'
import type { CommandBase } from '../api/engine.ts'

/** Puts a waiting input before all others. */
export function sendNow({ actor, commandId }: CommandBase, inputId: string): NewEntry[] {
  return [{ type: 'input-changed', actor, commandId, inputId, sendNow: true }]
}

/** Lets a held queue go on. */
export function release(state: Overview, { actor, commandId }: CommandBase): NewEntry[] {
  return state.queue.held ? [{ type: 'queue-released', actor, commandId }] : []
}

/** A conversation that is written to is a current one again. */
export function bringBack(state: Overview, { actor, commandId }: CommandBase): NewEntry[] {
  return state.archived ? [{ type: 'conversation-restored', actor, commandId }] : []
}
