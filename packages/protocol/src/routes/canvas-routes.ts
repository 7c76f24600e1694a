import { CanvasLayout, CanvasMode, CanvasTheme } from '@holdfast/conversation'
import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { conversation, nothing, seqText } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** The canvas of an agent, at the log's head or as it was. */
export const CanvasSnapshot = z.object({
  agentId: z.string(),
  /** 0 before anything was put on it. */
  version: z.int().nonnegative(),
  mode: CanvasMode,
  layout: CanvasLayout,
  theme: CanvasTheme,
  /** In the order in which they are shown. What each holds beside its id depends on its type. */
  elements: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  /** The `seq` at which it is so. */
  head: z.int().nonnegative(),
  /** What the model is told of it. [REQ6] */
  summary: z.string(),
})
export type CanvasSnapshot = z.infer<typeof CanvasSnapshot>

/** Where the canvas of an agent changed, oldest first: what `at` can be asked for. */
export const CanvasChanges = z.object({
  agentId: z.string(),
  changes: z.array(
    z.object({
      seq: z.int().positive(),
      /** Milliseconds since the Unix epoch. */
      at: z.int().nonnegative(),
      /** The canvas's version from then on. */
      version: z.int().positive(),
      byPerson: z.boolean(),
      /** The kind of the operation, such as `add-element`. */
      operation: z.string(),
      /** Null where the whole canvas changed. */
      elementId: z.string().nullable(),
    }),
  ),
  /** How many changes stand before these. */
  earlierCount: z.int().nonnegative(),
})
export type CanvasChanges = z.infer<typeof CanvasChanges>

/** The canvases of a conversation. */
export const canvasRoutes = {
  readCanvas: {
    method: 'GET',
    path: '/conversations/:id/canvas',
    access: 'owner',
    params: conversation,
    query: z.object({
      /** Whose canvas; that of the conversation's agent where it is absent. */
      agentId: OutsideId.exactOptional(),
      /** The canvas as it was at this entry. */
      at: seqText.exactOptional(),
    }),
    body: nothing,
    answers: { 200: CanvasSnapshot },
  },
  listCanvasChanges: {
    method: 'GET',
    path: '/conversations/:id/canvas/changes',
    access: 'owner',
    params: conversation,
    /** Whose canvas; that of the conversation's agent where it is absent. */
    query: z.object({ agentId: OutsideId.exactOptional() }),
    body: nothing,
    answers: { 200: CanvasChanges },
  },
  /** What a media element shows, from its address: only of one that is on the canvas, or was at `at`. Ranges of bytes are answered as their host does. [CANVAS8] */
  readCanvasMedia: {
    method: 'GET',
    path: '/conversations/:id/canvas/:elementId/media',
    access: 'owner',
    gives: 'application/octet-stream',
    params: z.object({ id: OutsideId, elementId: OutsideId }),
    query: z.object({ agentId: OutsideId.exactOptional(), at: seqText.exactOptional() }),
    body: nothing,
    answers: { 200: nothing },
  },
} as const satisfies Readonly<Record<string, Route>>
