import { CommandReusedError } from '@holdfast/conversation'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { type BegunDecision, begunDecisions, forgetBegun } from '../log/begun-decisions.ts'

/** A decision that another process began so long ago is not being carried out by it any more, in milliseconds. */
const OTHERS_MS = 120_000

/** What finishing needs. */
export interface FinishDecisionsDeps {
  readonly ports: Pick<EnginePorts, 'records' | 'clock' | 'isAlone'>
  readonly decide: (begun: BegunDecision) => Promise<unknown>
  readonly onFault: (fault: { readonly conversationId: string; readonly error: unknown }) => void
}

/**
 * Carries out once more the decisions about changes that a process began and did not write down: what is done already stays,
 * the rest is done, and the log and the model hear of it. One that cannot be now is tried at the next start. [WS9]
 */
export async function finishDecisions({ ports, decide, onFault }: FinishDecisionsDeps): Promise<void> {
  const { records, clock, isAlone } = ports
  if (records === null) return
  for (const begun of await begunDecisions(records)) {
    if (!isAlone && clock.now() - begun.at < OTHERS_MS) continue
    try {
      await decide(begun)
    } catch (error) {
      // It is in the log by then, or its conversation is gone.
      const isOver = error instanceof CommandReusedError || error instanceof UnknownConversationError
      if (isOver) await forgetBegun(records, begun.command)
      else if (!(error instanceof RunActiveError)) onFault({ conversationId: begun.command.conversationId, error })
    }
  }
}
