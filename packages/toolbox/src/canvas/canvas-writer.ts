import type { CanvasWish } from '@holdfast/conversation'
import type { ToolContext } from '@holdfast/tool'

/**
 * The way to the canvas of one conversation's agent. An implementer gives ids and versions, writes every change down
 * before it answers, and changes nothing for a wish that it refuses or once the signal has fired. [CANVAS1]
 */
export interface CanvasWriter {
  change(wish: CanvasWish, call: Pick<ToolContext, 'callId' | 'stepId' | 'signal'>): Promise<CanvasWriterAnswer>
  /** The file of this name that was sent last in the conversation, by the id of its upload; null where there is none. */
  findAttachment(name: string, call: Pick<ToolContext, 'signal'>): Promise<string | null>
}

/** What became of a wish; a refusal says what to do instead. */
export type CanvasWriterAnswer =
  | { readonly type: 'changed'; readonly elementId: string | null; readonly version: number }
  | { readonly type: 'refused'; readonly text: string }
