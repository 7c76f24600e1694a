import { type EntryLog, entriesBefore, type InputPart } from '@holdfast/conversation'
import { CanvasRefusedError, type Engine } from '@holdfast/engine'
import type { CanvasWriter } from '@holdfast/toolbox'

/** What the way to a canvas is made of. */
export interface CanvasWriterDeps {
  /** Asked for at every call: it is made with the tools. */
  readonly engine: () => Pick<Engine, 'changeCanvas'>
  readonly store: Pick<EntryLog, 'read'>
}

/** Entries that are looked through at once. */
const PAGE = 500

/** The way to the canvas of a conversation's agent. The same call changes it once, also after a crash. [CANVAS1, LOG4] */
export function canvasWriterOf({ engine, store }: CanvasWriterDeps, conversationId: string): CanvasWriter {
  return {
    async change(wish, call) {
      try {
        const changed = await engine().changeCanvas({
          commandId: `canvas:${conversationId}:${call.stepId ?? ''}:${call.callId}`,
          actor: { type: 'engine' },
          conversationId,
          wish,
          call: { callId: call.callId, signal: call.signal },
        })
        return { type: 'changed', ...changed }
      } catch (error) {
        if (!(error instanceof CanvasRefusedError)) throw error
        return { type: 'refused', text: error.message }
      }
    },
    async findAttachment(name, { signal }) {
      const whole = { conversationId, before: Number.MAX_SAFE_INTEGER, pageEntries: PAGE, signal }
      for await (const { entries } of entriesBefore(store, whole)) {
        const sent = entries.flatMap((entry) => (entry.type === 'user-message-sent' ? entry.content : []))
        const found = sent.findLast((part) => isNamed(part, name))
        if (found?.type === 'file' || found?.type === 'image') return found.attachmentId
      }
      return null
    },
  }
}

function isNamed(part: InputPart, name: string): boolean {
  return (part.type === 'file' || part.type === 'image') && part.name === name
}
