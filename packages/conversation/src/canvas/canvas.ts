import type { CanvasLayout, CanvasMode, CanvasTheme } from './canvas-operation.ts'
import type { ElementContent } from './element-content.ts'

/** Whose canvas it is where a conversation has no agent of its own. */
export const DEFAULT_AGENT_ID = 'default'

/** What is so of every element, beside what it shows. */
export interface ElementFrame {
  /** From the server; unique for all time in its canvas. */
  readonly id: string
  readonly number: number
  readonly pinned: boolean
  /** `seq` of the entry that put it there. */
  readonly addedSeq: number
  /** The last change: its entry, and whether a person made it. */
  readonly changed: { readonly seq: number; readonly byPerson: boolean }
}

/** One element of a canvas. */
export type CanvasElement = ElementFrame & ElementContent

/** What the last removal or clearing took, with the place of each element. */
export interface RemovedElements {
  readonly seq: number
  readonly byPerson: boolean
  readonly elements: readonly { readonly index: number; readonly element: CanvasElement }[]
}

/** The canvas of one agent in one conversation. */
export interface Canvas {
  /** Raised by every entry that changes it; 0 before the first. */
  readonly version: number
  readonly mode: CanvasMode
  readonly layout: CanvasLayout
  readonly theme: CanvasTheme
  /** The number of the newest element that it ever had. */
  readonly lastNumber: number
  /** In the order in which they are shown, but for pinned ones, which come first. */
  readonly elements: readonly CanvasElement[]
  /** Null when there is nothing to bring back. */
  readonly removed: RemovedElements | null
}

/** A canvas on which nothing was put yet. */
export const EMPTY_CANVAS: Canvas = {
  version: 0,
  mode: 'content',
  layout: 'auto',
  theme: 'plain',
  lastNumber: 0,
  elements: [],
  removed: null,
}

/** The canvases of a conversation by agent. */
export type Canvases = Readonly<Record<string, Canvas>>

/** The canvas of an agent, or an empty one. */
export function canvasOf(canvases: Canvases, agentId: string | undefined): Canvas {
  const id = agentId ?? DEFAULT_AGENT_ID
  return (Object.hasOwn(canvases, id) ? canvases[id] : undefined) ?? EMPTY_CANVAS
}

/** The elements as they are shown: pinned ones first. */
export function shownElements({ elements }: Canvas): readonly CanvasElement[] {
  if (!elements.some(({ pinned }) => pinned)) return elements
  return [...elements.filter(({ pinned }) => pinned), ...elements.filter(({ pinned }) => !pinned)]
}
