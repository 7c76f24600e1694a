import type { CanvasOperation } from '@holdfast/conversation'
import type { CanvasChanges } from '@holdfast/protocol'

/** What each operation did, before the name of its element. */
const WORDS: Readonly<Record<CanvasOperation['type'], string>> = {
  'add-element': 'added',
  'update-element': 'changed',
  'remove-element': 'removed',
  'pin-element': 'pinned or unpinned',
  'check-item': 'ticked an item of',
  'answer-form': 'answered',
  'answer-confirmation': 'answered',
  'set-mode': 'changed how it is shown',
  'set-theme': 'tinted it',
  'clear-canvas': 'cleared it',
  'restore-removed': 'brought back what was removed',
  notify: 'told',
}

/** A change in words, with whoever made it. */
export function changeWords({ operation, elementId, byPerson }: CanvasChanges['changes'][number]): string {
  const did = isKnown(operation) ? WORDS[operation] : operation
  return `${byPerson ? 'you' : 'the agent'} ${did}${elementId === null ? '' : ` ${elementId}`}`
}

function isKnown(operation: string): operation is CanvasOperation['type'] {
  return Object.hasOwn(WORDS, operation)
}
