import type { Canvas, CanvasElement, RemovedElements } from './canvas.ts'
import type { CanvasOperation } from './canvas-operation.ts'
import { ElementContent } from './element-content.ts'

/** Where an operation stands, and who asked for it. */
export interface OperationPlace {
  readonly seq: number
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  /** The canvas's version from then on. */
  readonly version: number
  /** Null for an agent. */
  readonly userId: string | null
}

/**
 * The canvas after one operation. What names an element that is not there changes nothing: where an entry was erased,
 * later ones still name what it put there. [CANVAS1, LOG9]
 */
export function applyOperation(canvas: Canvas, operation: CanvasOperation, place: OperationPlace): Canvas {
  switch (operation.type) {
    case 'add-element':
      return added(canvas, operation, place)
    case 'update-element':
      return changed(canvas, operation.elementId, place, (element) => {
        const content = ElementContent.safeParse({ ...element, ...operation.fields })
        if (!content.success || content.data.type !== element.type) return null
        return 'html' in operation.fields ? withVersion(content.data, place) : content.data
      })
    case 'check-item':
      return changed(canvas, operation.elementId, place, (element) => checked(element, operation, place))
    case 'answer-form':
      return changed(canvas, operation.elementId, place, (element) => {
        if (element.type !== 'form' || element.answer !== null || place.userId === null) return null
        return { ...element, answer: { values: { ...operation.values }, userId: place.userId, at: place.at } }
      })
    case 'answer-confirmation':
      return changed(canvas, operation.elementId, place, (element) => {
        if (element.type !== 'confirmation' || element.answer !== null || place.userId === null) return null
        return { ...element, answer: { choiceId: operation.choiceId, userId: place.userId, at: place.at } }
      })
    case 'pin-element':
      return changed(canvas, operation.elementId, place, (element) => ({ ...element, pinned: operation.pinned }))
    case 'remove-element':
      return without(canvas, ({ id }) => id === operation.elementId, place)
    case 'clear-canvas':
      return without(canvas, () => true, place)
    case 'restore-removed':
      return canvas.removed === null ? canvas : restored(canvas, canvas.removed)
    case 'set-mode':
      return { ...canvas, mode: operation.mode, layout: operation.layout ?? canvas.layout }
    case 'set-theme':
      return { ...canvas, theme: operation.theme }
    case 'notify':
      return canvas
  }
}

/** The canvas on which an answer was given that was erased: its element stays answered, and nothing can be answered twice. [UI48] */
export function withErasedAnswer(canvas: Canvas, elementId: string, place: Omit<OperationPlace, 'version'>): Canvas {
  return changed(canvas, elementId, place, (element) => {
    const { userId, at } = place
    if (userId === null) return null
    if (element.type === 'form') return { ...element, answer: { values: null, userId, at } }
    return element.type === 'confirmation' ? { ...element, answer: { choiceId: null, userId, at } } : null
  })
}

function added(
  canvas: Canvas,
  { elementId: id, number, content }: Extract<CanvasOperation, { type: 'add-element' }>,
  place: OperationPlace,
): Canvas {
  if (canvas.elements.some((element) => element.id === id)) return canvas
  const { seq, userId } = place
  const element = {
    ...withVersion(content, place),
    id,
    number,
    pinned: false,
    addedSeq: seq,
    changed: { seq, byPerson: userId !== null },
  }
  return { ...canvas, lastNumber: Math.max(canvas.lastNumber, number), elements: [...canvas.elements, element] }
}

/** Most versions of a page that are listed: the newest. */
const MOST_VERSIONS = 200

/** A page whose source came by this entry. [PREV11] */
function withVersion(content: ElementContent, { seq, at, version }: OperationPlace): ElementContent {
  if (content.type !== 'page') return content
  return { ...content, versions: [...content.versions, { seq, at, canvasVersion: version }].slice(-MOST_VERSIONS) }
}

/** Null from `change` leaves the element as it is. */
function changed(
  canvas: Canvas,
  elementId: string,
  { seq, userId }: Pick<OperationPlace, 'seq' | 'userId'>,
  change: (element: CanvasElement) => ElementContent | CanvasElement | null,
): Canvas {
  const index = canvas.elements.findIndex(({ id }) => id === elementId)
  const element = canvas.elements[index]
  const next = element && change(element)
  if (!element || !next) return canvas
  const { id, number, pinned, addedSeq } = element
  const frame = { id, number, pinned, addedSeq, changed: { seq, byPerson: userId !== null } }
  return { ...canvas, elements: canvas.elements.with(index, { ...frame, ...next, changed: frame.changed }) }
}

function checked(
  element: CanvasElement,
  { itemId, checked: isChecked }: Extract<CanvasOperation, { type: 'check-item' }>,
  { userId }: OperationPlace,
): ElementContent | null {
  if (element.type !== 'checklist' || !element.items.some(({ id }) => id === itemId)) return null
  const items = element.items.map((item) =>
    item.id === itemId ? { ...item, checked: isChecked, byPerson: userId !== null } : item,
  )
  return { ...element, items }
}

function without(canvas: Canvas, goes: (element: CanvasElement) => boolean, { seq, userId }: OperationPlace): Canvas {
  const taken = canvas.elements.flatMap((element, index) => (goes(element) ? [{ index, element }] : []))
  if (taken.length === 0) return canvas
  return {
    ...canvas,
    elements: canvas.elements.filter((element) => !goes(element)),
    removed: { seq, byPerson: userId !== null, elements: taken },
  }
}

/** Puts everything back to its place; what has come back already stays as it is. */
function restored(canvas: Canvas, { elements: taken }: RemovedElements): Canvas {
  const elements = [...canvas.elements]
  for (const { index, element } of taken)
    if (!elements.some(({ id }) => id === element.id)) elements.splice(Math.min(index, elements.length), 0, element)
  return { ...canvas, elements, removed: null }
}
