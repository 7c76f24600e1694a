import { headOfPath } from '@holdfast/context'
import type { EntryOf } from '@holdfast/conversation'
import type { CheckpointCommand, EditCheckpoint } from '../api/context-engine.ts'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { unknownCheckpoint } from '../api/refused-command-error.ts'
import type { LiveLog } from '../log/live-log.ts'
import { createPathReader, entryAt } from '../log/path-reader.ts'
import { carryOutPrepared } from './carry-out.ts'

/** Other words for the same range; the checkpoint before stays readable. [CHK7] */
export async function editCheckpoint(ports: EnginePorts, log: LiveLog, command: EditCheckpoint): Promise<void> {
  const { actor, commandId, checkpointSeq, summary } = command
  const named = { command, asked: ['edit-checkpoint', checkpointSeq, summary] }
  await carryOutPrepared(ports, log, named, async () => {
    const known = await countingCheckpoint(ports, log, command)
    const { coversFromSeq, coversToSeq, keptFromSeq, verbatimSeqs, listedSeqs, focus } = known
    return (state) => {
      mustRest(log, state.runState.exclusive?.runId ?? null)
      return [
        {
          type: 'checkpoint-made',
          actor,
          commandId,
          source: 'edit',
          summary,
          coversFromSeq,
          coversToSeq,
          keptFromSeq,
          verbatimSeqs: [...verbatimSeqs],
          ...(listedSeqs === undefined ? {} : { listedSeqs }),
          ...(focus === undefined ? {} : { focus }),
        },
      ]
    }
  })
}

/** Requests hold what it covered again, as far as it fits. [CHK7] */
export async function undoCheckpoint(ports: EnginePorts, log: LiveLog, command: CheckpointCommand): Promise<void> {
  const { actor, commandId, checkpointSeq } = command
  await carryOutPrepared(ports, log, { command, asked: ['undo-checkpoint', checkpointSeq] }, async () => {
    await countingCheckpoint(ports, log, command)
    return (state) => {
      mustRest(log, state.runState.exclusive?.runId ?? null)
      return [{ type: 'checkpoint-undone', actor, commandId, checkpointSeq }]
    }
  })
}

function mustRest({ conversationId }: LiveLog, runId: string | null): void {
  if (runId !== null) throw new RunActiveError(conversationId, runId)
}

/** The checkpoint of the command, if it is the one that requests stand on now. */
async function countingCheckpoint(
  { store }: EnginePorts,
  log: LiveLog,
  { checkpointSeq }: CheckpointCommand,
): Promise<EntryOf<'checkpoint-made'>> {
  const { conversationId } = log
  const { entries, carried } = await createPathReader(store, conversationId).read(log.overview(), 0)
  const { checkpoint } = headOfPath(entries, carried)
  const known = await entryAt(store, { conversationId, seq: checkpointSeq, type: 'checkpoint-made' })
  if (known === null || checkpoint?.seq !== checkpointSeq) throw unknownCheckpoint(checkpointSeq)
  return known
}
