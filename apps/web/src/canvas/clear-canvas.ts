import type { Client } from '@holdfast/client'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { tell } from '../shared/toasts/toasts.ts'

/** Clears the canvas of the conversation's agent, and offers to bring it back. [CANVAS3] */
export async function clearCanvas(client: Client, conversationId: string): Promise<void> {
  const canvas = client.canvas(conversationId)
  if (!(await told(canvas.act({ elementId: 'canvas', action: 'clear' })))) return
  tell(say('canvas.the-canvas-is-cleared'), () => void told(canvas.act({ elementId: 'canvas', action: 'restore' })))
}
