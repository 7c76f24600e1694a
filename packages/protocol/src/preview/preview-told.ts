import * as z from 'zod'
import { SourceHint } from './source-hint.ts'
import { ToldError } from './told-error.ts'

const count = z.int().nonnegative()

/** An element of a previewed page that a person picked. Its text is data. [PREV4, REQ7] */
export const PickedElement = z.object({
  selector: z.string().min(1).max(1_000),
  html: z.string().max(2_000),
  url: z.string().min(1).max(4_000),
  /** What it is called, for people. */
  label: z.string().max(120),
  text: z.string().max(100).exactOptional(),
  role: z.string().max(60).exactOptional(),
  hint: SourceHint.exactOptional(),
})
export type PickedElement = z.infer<typeof PickedElement>

const Place = z.object({
  type: z.literal('place'),
  url: z.string().max(4_000),
  title: z.string().max(300),
  /** HTTP status of the document; 0 where the browser does not say it. */
  status: count,
  canGoBack: z.boolean(),
  canGoForward: z.boolean(),
  /** Present when the document has just been loaded. */
  isLoaded: z.literal(true).exactOptional(),
})

const ConsoleLine = z.object({
  level: z.enum(['log', 'info', 'warn', 'error', 'debug']),
  text: z.string().max(4_000),
  count,
})
export type ConsoleLine = z.infer<typeof ConsoleLine>

const OutlineElement = z.object({ id: count, depth: count, label: z.string().max(200) })
export type OutlineElement = z.infer<typeof OutlineElement>

/** What the script in a previewed page says to the page that shows it. All of it is data of a stranger. [PREV20] */
export const PreviewTold = z.discriminatedUnion('type', [
  Place,
  z.object({ type: z.literal('errors'), errors: z.array(ToldError).max(20), droppedCount: count }),
  z.object({ type: z.literal('console'), lines: z.array(ConsoleLine).max(100), droppedCount: count }),
  z.object({ type: z.literal('hmr'), openCount: count, openedCount: count, updateCount: count }),
  z.object({ type: z.literal('pointed'), label: z.string().max(120), path: z.array(z.string().max(100)).max(6) }),
  z.object({ type: z.literal('picked'), element: PickedElement, goesOn: z.boolean() }),
  z.object({ type: z.literal('pick-ended') }),
  z.object({ type: z.literal('outline'), nodes: z.array(OutlineElement).max(1_000) }),
  z.object({ type: z.literal('flashed'), selector: z.string().max(1_000), found: z.boolean() }),
])
export type PreviewTold = z.infer<typeof PreviewTold>

/** How the script in a previewed page says that it is there; the port comes with it. */
export const PreviewHello = z.strictObject({
  type: z.literal('holdfast-preview-hello'),
  secret: z.string().min(1).max(100),
})

/** What the page that shows a preview asks of the script in it. */
export type PreviewOrder =
  | { readonly type: 'pick'; readonly on: boolean }
  | { readonly type: 'key'; readonly key: string; readonly shift: boolean }
  | { readonly type: 'outline' }
  | { readonly type: 'point'; readonly id: number | null }
  | { readonly type: 'pick-node'; readonly id: number }
  | { readonly type: 'flash'; readonly selector: string }
  | { readonly type: 'back' | 'forward' | 'reload' }
  | { readonly type: 'go'; readonly url: string }
