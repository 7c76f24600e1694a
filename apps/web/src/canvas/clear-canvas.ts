import type { Client } from '@holdfast/client'
import { canvasOf, type Overview } from '@holdfast/conversation'
import type { WrittenCommand } from '../composer/mentions/offers.ts'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { tell } from '../shared/toasts/toasts.ts'

/** What can be written to change the canvas of the conversation's agent: nothing where it is empty. */
export function canvasCommands({
  canvases,
  settings,
}: Pick<Overview, 'canvases' | 'settings'>): readonly WrittenCommand[] {
  if (canvasOf(canvases, settings.agentId).elements.length === 0) return []
  return [{ text: '/canvas clear', about: say('canvas.clear-with-undo') }]
}

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
