import { CanvasRefusedError, type Engine } from '@holdfast/engine'
import type { CanvasWriter } from '@holdfast/toolbox'

/** What the way to a canvas is made of. */
export interface CanvasWriterDeps {
  /** Asked for at every call: it is made with the tools. */
  readonly engine: () => Pick<Engine, 'changeCanvas'>
}

/** The way to the canvas of a conversation's agent. The same call changes it once, also after a crash. [CANVAS1, LOG4] */
export function canvasWriterOf({ engine }: CanvasWriterDeps, conversationId: string): CanvasWriter {
  return {
    async change(wish, call) {
      try {
        const changed = await engine().changeCanvas({
          commandId: `canvas:${conversationId}:${call.callId}`,
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
  }
}
