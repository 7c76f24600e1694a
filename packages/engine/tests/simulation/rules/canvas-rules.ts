import type { CanvasOperation, Entry, EntryOf, Overview } from '@holdfast/conversation'
import type { Violate } from './violation.ts'

/** Elements that a canvas of the simulation may hold: few, so that it is full now and then. */
export const CANVAS_ELEMENTS = 6

interface WatchedElement {
  readonly id: string
  readonly type: string
  answered: boolean
}

interface WatchedCanvas {
  version: number
  lastNumber: number
  elements: WatchedElement[]
  /** What was taken last, with its places. */
  removed: readonly { readonly index: number; readonly element: WatchedElement }[]
}

/** The canvases of one log, as somebody would keep them who only writes lists: nothing is shared with the product. */
export interface CanvasRules {
  /** `after` is the product's own state after the entry. */
  take(entry: Entry, after: Overview): void
  /** What is on the canvas of the conversation's agent. */
  elements(): readonly { readonly id: string; readonly type: string; readonly answered: boolean }[]
  /** The version of it after an entry; 0 before the first change. */
  versionAt(seq: number): number
  whenQuiet(): void
}

/** Who watches calls. */
export interface CanvasRulesParts {
  readonly violate: Violate
  /** Whether a call has begun, and has no outcome or one that says that nobody knows what it did. */
  readonly mayRun: (callId: string) => boolean
}

const AGENT_ID = 'default'

/** Checks that ids and versions are given once, that what is named is there, and that an answer is one and is told. */
export function createCanvasRules({ violate, mayRun }: CanvasRulesParts): CanvasRules {
  const canvas: WatchedCanvas = { version: 0, lastNumber: 0, elements: [], removed: [] }
  const versions: { readonly seq: number; readonly version: number }[] = []
  /** An answer whose input must stand in the same append. */
  let untold: { readonly commandId: string | undefined; readonly seq: number } | null = null

  function changed(entry: EntryOf<'canvas-changed'>): void {
    const { seq, version, callId, operations, actor } = entry
    if (version !== canvas.version + 1)
      violate('CANVAS1', `The canvas has version ${canvas.version}, and ${version} at ${seq}`)
    canvas.version = version
    versions.push({ seq, version })
    if (callId !== undefined && !mayRun(callId))
      violate('CANVAS1', `Call ${callId} changed the canvas at ${seq} and does not run`)
    if (callId !== undefined && actor.type !== 'engine')
      violate('CANVAS3', `Call ${callId} changed the canvas at ${seq} in the name of a person`)
    for (const operation of operations) apply(operation, entry)
    if (canvas.elements.length > CANVAS_ELEMENTS)
      violate('CANVAS4', `The canvas holds ${canvas.elements.length} elements at ${seq}`)
  }

  function apply(operation: CanvasOperation, { seq, actor, commandId }: EntryOf<'canvas-changed'>): void {
    switch (operation.type) {
      case 'add-element':
        added(operation, seq)
        return
      case 'remove-element': {
        const element = named(operation.elementId, seq)
        if (!element) return
        const index = canvas.elements.indexOf(element)
        canvas.elements.splice(index, 1)
        canvas.removed = [{ index, element }]
        return
      }
      case 'clear-canvas':
        if (canvas.elements.length > 0)
          canvas.removed = canvas.elements.splice(0).map((element, index) => ({ index, element }))
        return
      case 'restore-removed':
        for (const { index, element } of canvas.removed) canvas.elements.splice(index, 0, element)
        canvas.removed = []
        return
      case 'answer-confirmation':
      case 'answer-form': {
        const element = named(operation.elementId, seq)
        if (element?.answered) violate('CANVAS3', `${element.id} was answered twice, again at ${seq}`)
        if (actor.type !== 'person') violate('CANVAS3', `${operation.elementId} was answered at ${seq} by the agent`)
        if (element) element.answered = true
        untold = { commandId, seq }
        return
      }
      case 'update-element':
      case 'pin-element':
      case 'check-item':
        named(operation.elementId, seq)
        return
      case 'set-mode':
      case 'set-theme':
      case 'notify':
        return
    }
  }

  function added({ elementId, number, content }: Extract<CanvasOperation, { type: 'add-element' }>, seq: number): void {
    if (number !== canvas.lastNumber + 1 || elementId !== `${content.type}-${number}`)
      violate('CANVAS1', `${elementId} was added at ${seq} as number ${number}, after number ${canvas.lastNumber}`)
    canvas.lastNumber = Math.max(canvas.lastNumber, number)
    canvas.elements.push({ id: elementId, type: content.type, answered: false })
  }

  function named(elementId: string, seq: number): WatchedElement | undefined {
    const element = canvas.elements.find(({ id }) => id === elementId)
    if (!element) violate('CANVAS1', `${elementId} was changed at ${seq} and is not there`)
    return element
  }

  /** An answer and what the agent is told of it are one append. [CANVAS6] */
  function told(entry: Entry): void {
    if (untold === null || entry.type === 'canvas-changed') return
    const { commandId, seq } = untold
    if (entry.commandId !== commandId) violate('CANVAS6', `The answer at ${seq} is told to nobody`)
    const isInput = entry.type === 'input-admitted' && entry.origin === 'canvas'
    if (isInput || entry.commandId !== commandId) untold = null
  }

  function compare(seq: number, { canvases }: Overview): void {
    const ids = (canvases[AGENT_ID]?.elements ?? []).map(({ id }) => id)
    const wanted = canvas.elements.map(({ id }) => id)
    if (JSON.stringify(ids) !== JSON.stringify(wanted))
      violate('CANVAS1', `The canvas shows ${ids.join(', ')} after ${seq}; the log says ${wanted.join(', ')}`)
  }

  return {
    take(entry, after) {
      told(entry)
      if (entry.type !== 'canvas-changed') return
      changed(entry)
      compare(entry.seq, after)
    },
    elements: () => canvas.elements,
    versionAt: (seq) => versions.findLast((change) => change.seq <= seq)?.version ?? 0,
    whenQuiet() {
      if (untold !== null) violate('CANVAS6', `The answer at ${untold.seq} is told to nobody`)
    },
  }
}
