import fc from 'fast-check'
import type { CanvasOperation } from '../canvas/canvas-operation.ts'
import type { ElementContent } from '../canvas/element-content.ts'

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => text.trim() || 'words')
const figures = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e9 })

/** Contents of many kinds, as an agent may give them. */
export const arbitraryContent: fc.Arbitrary<ElementContent> = fc.oneof(
  fc.record({ type: fc.constant('card' as const), title: words, body: words, tone: fc.constant('neutral' as const) }),
  fc.record({ type: fc.constant('text' as const), body: words }),
  fc.array(fc.tuple(words, figures), { minLength: 1, maxLength: 6 }).map((pairs) => ({
    type: 'chart' as const,
    title: 'Chart',
    kind: 'bar' as const,
    labels: pairs.map(([label]) => label),
    series: [{ name: 'One', values: pairs.map(([, value]) => value) }],
  })),
  fc.array(fc.tuple(words, figures), { maxLength: 6 }).map((rows) => ({
    type: 'table' as const,
    title: 'Table',
    columns: [
      { name: 'Words', kind: 'text' as const },
      { name: 'Figure', kind: 'number' as const },
    ],
    rows: rows.map((row) => [...row]),
  })),
  fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }).map((checks) => ({
    type: 'checklist' as const,
    title: 'List',
    items: checks.map((checked, index) => ({ id: `item-${index + 1}`, text: 'Do it', checked, byPerson: false })),
  })),
  words.map((html) => ({ type: 'page' as const, title: 'Page', html, description: '', versions: [] })),
  words.map((title) => ({
    type: 'confirmation' as const,
    title,
    body: '',
    choices: [{ id: 'yes', label: 'Yes', style: 'plain' as const }],
    answer: null,
  })),
)

/** Operations on a few elements, some of them on ones that are not there. */
export const arbitraryOperation: fc.Arbitrary<CanvasOperation> = fc
  .tuple(fc.nat(5), arbitraryContent, words, fc.nat(11))
  .map(([number, content, text, kind]): CanvasOperation => {
    const elementId = `element-${number}`
    const operations: readonly CanvasOperation[] = [
      { type: 'add-element', elementId, number: number + 1, content },
      { type: 'add-element', elementId, number: number + 1, content },
      { type: 'update-element', elementId, fields: { title: text } },
      { type: 'remove-element', elementId },
      { type: 'pin-element', elementId, pinned: number % 2 === 0 },
      { type: 'check-item', elementId, itemId: 'item-1', checked: number % 2 === 0 },
      { type: 'answer-confirmation', elementId, choiceId: 'yes' },
      { type: 'set-mode', mode: 'media', layout: 'grid' },
      { type: 'set-theme', theme: 'blue' },
      { type: 'clear-canvas' },
      { type: 'restore-removed' },
      { type: 'notify', text, tone: 'good' },
    ]
    return operations[kind] ?? { type: 'clear-canvas' }
  })
