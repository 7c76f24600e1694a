import { AUTO_FIX, decideAutoFix, type NewEntry } from '@holdfast/conversation'
import type { Mended, MendPreview, SwitchAutoFix } from '../api/auto-fix-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { RefusedCommandError } from '../api/refused-command-error.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOut } from './carry-out.ts'

/** Switches auto-fix. What is as asked already, and has not ended, stays. [WS4] */
export async function switchAutoFix(ports: EnginePorts, log: LiveLog, command: SwitchAutoFix): Promise<void> {
  const { actor, commandId, conversationId, previewId, isOn } = command
  await carryOut(ports, log, { command, asked: ['auto-fix', previewId, isOn] }, ({ autoFix }) => {
    const meant = previewId ?? autoFix.previewId
    if (meant === null)
      throw new RefusedCommandError('conflict', 'Name the preview that auto-fix is to look at', { conversationId })
    const isSo = autoFix.isOn === isOn && (!isOn || (autoFix.previewId === meant && autoFix.ended === null))
    if (isSo) return []
    const change = { type: 'switched' as const, isOn, capUsd: AUTO_FIX.capUsd }
    return [{ type: 'auto-fix-changed', actor, commandId, previewId: meant, change }]
  })
}

/**
 * Decides by the log at the moment of the append, so that two tabs, two processes or a restart make no attempt twice: the
 * attempt and its input are one append. [WS4]
 */
export async function mendPreview(ports: EnginePorts, log: LiveLog, { seen, contentOf }: MendPreview): Promise<Mended> {
  let mended: Mended = { type: 'nothing' }
  const inputId = ports.ids.next('input')
  await log.append({ epoch: null, command: null, dropDraft: null }, (state): NewEntry[] => {
    const decision = decideAutoFix(state, seen, ports.clock.now())
    const { previewId } = seen
    switch (decision.type) {
      case 'rest':
        mended = { type: 'nothing' }
        return []
      case 'wait':
        mended = { type: 'waits', untilMs: decision.untilMs }
        return []
      case 'end': {
        mended = { type: 'ended' }
        const { attempts, costUsd } = state.autoFix
        const change = { type: 'ended' as const, outcome: decision.outcome, attempts, costUsd }
        return [{ type: 'auto-fix-changed', actor: ENGINE, previewId, change }]
      }
      case 'attempt': {
        mended = { type: 'attempted' }
        const { attempt, signatures, distinctCount } = decision
        const change = { type: 'attempted' as const, attempt, inputId, signatures: [...signatures], distinctCount }
        return [
          { type: 'auto-fix-changed', actor: ENGINE, previewId, change },
          {
            type: 'input-admitted',
            actor: ENGINE,
            inputId,
            lane: 'turn',
            origin: 'preview',
            content: [...contentOf(attempt, signatures)],
          },
        ]
      }
    }
  })
  return mended
}
