import {
  type CanvasLimits,
  type CanvasOperation,
  canvasLimitsOf,
  canvasOf,
  DEFAULT_AGENT_ID,
  decideWish,
  type Entry,
  type InputPart,
  type NewEntry,
  type Overview,
  settingsNow,
} from '@holdfast/conversation'
import { type CanvasAnswer, CanvasRefusedError, type ChangeCanvas } from '../api/canvas-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOut } from './carry-out.ts'
import { bringBack, release, sendNow } from './queue-entries.ts'

/**
 * Decides about a wish by the canvas as it is at the moment of the append, so that ids and versions come from one
 * place, and writes it down. The same command again is answered as then. [CANVAS1, LOG4]
 */
export async function changeCanvas(ports: EnginePorts, log: LiveLog, command: ChangeCanvas): Promise<CanvasAnswer> {
  const { wish, call } = command
  const inputId = ports.ids.next('input')
  const limits = canvasLimitsOf(settingsNow(ports.settings))
  const { entries } = await carryOut(
    ports,
    log,
    { command, asked: ['canvas', command.agentId ?? null, wish] },
    (state) => {
      if (call?.signal.aborted)
        throw new CanvasRefusedError('conflict', 'The run was stopped; the canvas stays as it was.', {
          callId: call.callId,
        })
      return entriesOf(state, { ...command, inputId }, limits)
    },
  )
  return answerOf(entries)
}

function entriesOf(
  state: Overview,
  command: ChangeCanvas & { readonly inputId: string },
  limits: CanvasLimits,
): NewEntry[] {
  const { actor, commandId, wish, call } = command
  const agentId = command.agentId ?? state.settings.agentId ?? DEFAULT_AGENT_ID
  const canvas = canvasOf(state.canvases, agentId)
  const decision = decideWish(canvas, wish, { isPerson: actor.type === 'person', limits })
  if (decision.type === 'refused') {
    const elementId = 'elementId' in wish ? wish.elementId : null
    throw new CanvasRefusedError(decision.code, decision.text, { agentId, elementId })
  }
  const changed: NewEntry = {
    type: 'canvas-changed',
    actor,
    commandId,
    agentId,
    operations: [decision.operation],
    version: canvas.version + 1,
    ...(call === undefined ? {} : { callId: call.callId }),
  }
  const answer = answerPart(decision.operation)
  return answer === null ? [changed] : [changed, ...answered(state, command, answer)]
}

/** What the person gave, as data: the words of the question are the agent's. [REQ7] */
function answerPart(operation: CanvasOperation): InputPart | null {
  if (operation.type === 'answer-form')
    return { type: 'canvas', elementId: operation.elementId, answer: { ...operation.values } }
  if (operation.type === 'answer-confirmation')
    return { type: 'canvas', elementId: operation.elementId, answer: operation.choiceId }
  return null
}

/** An answer is sent like a message: it joins what runs, and lets a held queue go on. [STOP11] */
function answered(
  state: Overview,
  command: ChangeCanvas & { readonly inputId: string },
  answer: InputPart,
): NewEntry[] {
  const { actor, commandId, inputId } = command
  return [
    ...bringBack(state, command),
    {
      type: 'input-admitted',
      actor,
      commandId,
      inputId,
      origin: 'canvas',
      content: [answer],
      lane: state.runState.exclusive === null ? 'turn' : 'steer',
    },
    ...(state.queue.held ? sendNow(command, inputId) : []),
    ...release(state, command),
  ]
}

function answerOf(entries: readonly Entry[]): CanvasAnswer {
  const changed = entries.find((entry) => entry.type === 'canvas-changed')
  if (changed?.type !== 'canvas-changed') throw new Error('A change of the canvas was carried out as something else')
  const [operation] = changed.operations
  return {
    elementId: operation !== undefined && 'elementId' in operation ? operation.elementId : null,
    version: changed.version,
  }
}
