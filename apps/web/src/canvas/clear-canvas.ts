import type { Client } from '@holdfast/client'
import { say } from '../language/say.ts'
import { tell } from '../toasts/toasts.ts'
import { told } from '../told-request.ts'

/** Whether what is sent is the command that clears the canvas. */
export function isClearCommand(text: string): boolean {
  return /^\/canvas\s+clear$/.test(text.trim())
}

/** Clears the canvas of the conversation's agent, and offers to bring it back. [CANVAS3] */
export async function clearCanvas(client: Client, conversationId: string): Promise<void> {
  const canvas = client.canvas(conversationId)
  if (!(await told(canvas.act({ elementId: 'canvas', action: 'clear' })))) return
  tell(say('canvas.the-canvas-is-cleared'), () => void told(canvas.act({ elementId: 'canvas', action: 'restore' })))
}
