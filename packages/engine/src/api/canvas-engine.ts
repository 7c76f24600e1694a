import type { CanvasRefusalCode, CanvasWish } from '@holdfast/conversation'
import type { ConversationCommand } from './command-base.ts'
import { type RefusalIds, RefusedCommandError } from './refused-command-error.ts'

/** Asks for a change of a canvas, as a person or as the agent. */
export interface ChangeCanvas extends ConversationCommand {
  readonly wish: CanvasWish
  /** Whose canvas; that of the conversation's agent where it is absent. */
  readonly agentId?: string
  /** The tool call that asks. Nothing changes once `signal` has fired: a stop came first. */
  readonly call?: { readonly callId: string; readonly signal: AbortSignal }
}

/** What changed. */
export interface CanvasAnswer {
  /** Null where the whole canvas changed. */
  readonly elementId: string | null
  /** The version of the canvas from then on. */
  readonly version: number
}

/** The canvas cannot be changed like this. Nothing was changed; the message says what to do instead. [CANVAS4, CANVAS5] */
export class CanvasRefusedError extends RefusedCommandError {
  override readonly name = 'CanvasRefusedError'

  /** `conflict`: the run that asks was stopped. */
  constructor(code: CanvasRefusalCode | 'conflict', message: string, ids: RefusalIds) {
    super(code, message, ids)
  }
}

/** What can be asked about the canvases of a conversation. */
export interface CanvasEngine {
  /**
   * Changes a canvas, durably and in every tab. A person's answer to a form or a confirmation is also an input, which
   * the agent answers: it joins what runs, or begins a turn. [CANVAS1, CANVAS6]
   *
   * @throws {UnknownConversationError | CanvasRefusedError}
   */
  changeCanvas(command: ChangeCanvas): Promise<CanvasAnswer>
}
