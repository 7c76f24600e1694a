import * as z from 'zod'

/**
 * What a person does on a canvas. `clear`, `restore`, `set-mode` and `set-theme` are about all of it; then the element is
 * named `canvas`.
 */
export const CanvasAction = z.enum([
  ...['check', 'answer', 'pin', 'remove', 'clear', 'restore'],
  ...['set-mode', 'set-theme'],
] as const)
export type CanvasAction = z.infer<typeof CanvasAction>
