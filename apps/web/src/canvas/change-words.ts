import type { CanvasOperation } from '@holdfast/conversation'
import type { CanvasChanges } from '@holdfast/protocol'
import { say, type TextKey } from '../language/say.ts'

/** What each operation did. */
const WORDS = {
  'add-element': 'canvas.change-add-element',
  'update-element': 'canvas.change-update-element',
  'remove-element': 'canvas.change-remove-element',
  'pin-element': 'canvas.change-pin-element',
  'check-item': 'canvas.change-check-item',
  'answer-form': 'canvas.change-answer',
  'answer-confirmation': 'canvas.change-answer',
  'set-mode': 'canvas.change-set-mode',
  'set-theme': 'canvas.change-set-theme',
  'clear-canvas': 'canvas.change-clear-canvas',
  'restore-removed': 'canvas.change-restore-removed',
  notify: 'canvas.change-notify',
} as const satisfies Readonly<Record<CanvasOperation['type'], TextKey>>

/** A change in words, with whoever made it. */
export function changeWords({ operation, elementId, byPerson }: CanvasChanges['changes'][number]): string {
  const values = { who: byPerson ? 'person' : 'agent', element: elementId ?? '' }
  return (
    isKnown(operation) ? say(WORDS[operation], values) : say('canvas.change-other', { ...values, operation })
  ).trim()
}

function isKnown(operation: string): operation is CanvasOperation['type'] {
  return Object.hasOwn(WORDS, operation)
}
