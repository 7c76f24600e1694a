import type { ExcludeResult } from '../api/context-engine.ts'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { unknownResult } from '../api/refused-command-error.ts'
import type { LiveLog } from '../log/live-log.ts'
import { entryAt } from '../log/path-reader.ts'
import { carryOut } from './carry-out.ts'

/**
 * Leaves the result of a call out of later requests, or takes it back. What stands before the words of a running turn
 * does not change under it: it is refused until that has ended. [TOOL10]
 *
 * @throws {RefusedCommandError | RunActiveError}
 */
export async function excludeResult(ports: EnginePorts, log: LiveLog, command: ExcludeResult): Promise<void> {
  const { actor, commandId, conversationId, resultSeq, isExcluded } = command
  const result = await entryAt(ports.store, { conversationId, seq: resultSeq, type: 'tool-call-settled' })
  await carryOut(ports, log, { command, asked: ['exclude', resultSeq, isExcluded] }, ({ exclusions, runState }) => {
    if (result === null) throw unknownResult(resultSeq)
    if (runState.exclusive) throw new RunActiveError(conversationId, runState.exclusive.runId)
    if (exclusions.includes(resultSeq) === isExcluded) return []
    return [{ type: 'exclusion-changed', actor, commandId, resultSeq, isExcluded }]
  })
}
