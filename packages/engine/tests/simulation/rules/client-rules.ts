import type { Entry, EntryOf } from '@holdfast/conversation'
import { CLIENT_TOOL, clientWords } from '../parts/simulated-tools.ts'
import type { Violate } from './violation.ts'

/** The calls of one log that a client runs. */
export interface ClientRules {
  take(entry: Entry): void
}

/** How a call that a client has can end: what it says, or nobody knows. */
const OUTCOMES: ReadonlySet<string> = new Set(['ok', 'error', 'unknown'])

/**
 * Checks that calls of a client's tool are handed to it without a question, and that what stands in the log about one is
 * what the client said of that call in that command, or that nobody knows. [TOOL18]
 */
export function createClientRules(violate: Violate): ClientRules {
  /** By step and call. */
  const handedOver = new Set<string>()

  function started({ seq, stepId, callId, runsAt }: EntryOf<'tool-call-started'>): void {
    if (runsAt !== 'client') violate('TOOL18', `Call ${callId} started at ${seq} and was not handed to its client`)
    handedOver.add(`${stepId} ${callId}`)
  }

  function settled({ seq, stepId, callId, outcome, content, commandId }: EntryOf<'tool-call-settled'>): void {
    if (!handedOver.has(`${stepId} ${callId}`)) return
    if (!OUTCOMES.has(outcome))
      violate('TOOL18', `Call ${callId} was at its client, and settled at ${seq} as ${outcome}`)
    if (outcome === 'unknown') return
    const said = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (commandId === undefined || !said.includes(clientWords(commandId, callId)))
      violate('TOOL18', `Call ${callId} settled at ${seq} with what its client did not say`)
  }

  return {
    take(entry) {
      if (entry.type === 'permission-requested' && entry.tool === CLIENT_TOOL)
        violate('TOOL18', `A person was asked at ${entry.seq} about a call that a client runs`)
      if (entry.type === 'tool-call-started' && entry.name === CLIENT_TOOL) started(entry)
      if (entry.type === 'tool-call-settled' && entry.name === CLIENT_TOOL) settled(entry)
    },
  }
}
