import { CanvasLayout, CanvasMode, CanvasTheme, type CanvasWish, type Json } from '@holdfast/conversation'
import type { CanvasAction } from '@holdfast/protocol'
import * as z from 'zod'

const SetMode = z.strictObject({ mode: CanvasMode, layout: CanvasLayout.exactOptional() })

const Check = z.strictObject({ itemId: z.string().max(200), checked: z.boolean() })

/** What a person wishes of a canvas. @throws {z.ZodError} when the value is none of this action. */
export function wishOf(action: CanvasAction, elementId: string, value: Json): CanvasWish {
  switch (action) {
    case 'check':
      return { type: 'check', elementId, ...Check.parse(value) }
    case 'answer':
      return { type: 'answer', elementId, value }
    case 'pin':
      return { type: 'pin', elementId, pinned: z.boolean().parse(value) }
    case 'set-mode': {
      const { mode, layout = null } = SetMode.parse(value)
      return { type: 'set-mode', mode, layout }
    }
    case 'set-theme':
      return { type: 'set-theme', theme: CanvasTheme.parse(value) }
    case 'remove':
    case 'clear':
    case 'restore':
      return action === 'remove' ? { type: action, elementId } : { type: action }
  }
}
