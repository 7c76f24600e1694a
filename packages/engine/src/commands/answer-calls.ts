import type { NewEntry, OpenCall, Overview } from '@holdfast/conversation'
import { type CallResult, callLimits, runCall, settledUnrun, toolOf } from '@holdfast/tool'
import type { Answered } from '../api/answered.ts'
import type { AnswerCalls, ClientResult } from '../api/client-result.ts'
import type { EnginePorts } from '../api/ports.ts'
import { ownerOf } from '../chosen/owner.ts'
import { settingsOfLog } from '../chosen/settings-in-force.ts'
import { storeBlobSink } from '../chosen/store-blob-sink.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOut } from './carry-out.ts'

/**
 * Writes down what a client's tools gave, for the calls that were handed to it; the first answer counts, and one to a call
 * that is over changes nothing. With `others` the client has gone on without the rest, which end as not done. [TOOL18, TOOL2]
 */
export async function answerCalls(ports: EnginePorts, log: LiveLog, command: AnswerCalls): Promise<Answered> {
  const { results, others } = command
  const bounded = new Map(await Promise.all(results.map((result) => boundedBy(ports, log, result))))
  const named = results.map(({ callId, text, isError, images }) => [callId, text, isError, images.length])
  const asked = ['answer-calls', named, others]
  const { entries } = await carryOut(ports, log, { command, asked }, (state) =>
    handedOver(state).flatMap(({ runId, call }): NewEntry[] => {
      const result = bounded.get(call.callId) ?? (others === 'end' ? notDone(call) : null)
      return result === null ? [] : [settlementOf(command, { runId, call, result, now: ports.clock.now() })]
    }),
  )
  return { accepted: entries.length > 0 }
}

/** The calls that a client has and has not answered. */
function handedOver({ runState: { exclusive } }: Overview): { readonly runId: string; readonly call: OpenCall }[] {
  if (exclusive === null || exclusive.stopRequestedAt !== null) return []
  const { runId, openCalls } = exclusive
  return openCalls.filter(({ handedOverAt }) => handedOverAt !== null).map((call) => ({ runId, call }))
}

/** What came is bounded like the output of any other tool: the whole of a long one is kept as a blob. [TOOL5, WIN6] */
async function boundedBy(
  ports: EnginePorts,
  log: LiveLog,
  { callId, text, isError, images }: ClientResult,
): Promise<readonly [string, CallResult]> {
  const { conversationId } = log
  const given = { type: 'tool-return', text, isError, images } as const
  const result = await runCall({
    tool: toolOf({ name: 'client', description: '', parameters: {} }, () => given),
    call: { callId, name: 'client', input: {} },
    signal: new AbortController().signal,
    clock: ports.clock,
    limits: callLimits(settingsOfLog(ports, log.overview().settings)),
    blobSink: storeBlobSink(ports, { conversationId, ownerId: await ownerOf(log) }),
    onLate: () => {},
    onLateEffect: () => {},
  })
  return [callId, result]
}

function notDone({ callId, name }: OpenCall): CallResult {
  const words = 'The client went on without saying what came of this call. It may have taken effect; nobody knows.'
  return settledUnrun({ callId, name, input: {} }, 'unknown', words)
}

interface Settling {
  readonly runId: string
  readonly call: OpenCall
  readonly result: CallResult
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

function settlementOf({ actor, commandId }: AnswerCalls, { runId, call, result, now }: Settling): NewEntry {
  const { callId, stepId, name, handedOverAt } = call
  const { outcome, content, blob } = result
  return {
    type: 'tool-call-settled',
    actor,
    commandId,
    runId,
    stepId,
    callId,
    name,
    outcome,
    content: [...content],
    durationMs: Math.max(0, now - (handedOverAt ?? now)),
    ...(blob === undefined ? {} : { blob }),
  }
}
