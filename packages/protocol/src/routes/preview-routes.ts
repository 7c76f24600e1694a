import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'
import { SourceHint } from '../preview/source-hint.ts'
import { ToldError } from '../preview/told-error.ts'

/** How much may be said of a preview, in characters, and which ports there are. */
export const PREVIEW_LIMITS = {
  command: 4_096,
  folder: 1_024,
  path: 4_096,
  highestPort: 65_535,
  lowestWidth: 200,
  highestWidth: 2_560,
} as const

/** What is shown of a place: what a dev server gives, a port that a person named, or the files of a folder. [PREV1, PREV6] */
export const PreviewSource = z.discriminatedUnion('type', [
  /** `line`: null for the one that is found in the folder. */
  z.object({ type: z.literal('command'), line: z.string().nullable() }),
  z.object({ type: z.literal('port'), port: z.int() }),
  /** From the place, with `/`; empty for the place itself. */
  z.object({ type: z.literal('folder'), folder: z.string() }),
])
export type PreviewSource = z.infer<typeof PreviewSource>

/** A preview as it stands. */
export const PreviewRow = z.object({
  id: z.string(),
  workspaceId: z.string().nullable(),
  /** The conversation in whose worktree it is; null where its place is a workspace, or it has none. */
  conversationId: z.string().nullable(),
  source: PreviewSource,
  /** `starting`: it runs and nothing answers yet. `crashed`: its command ended by itself, and is not started again. */
  state: z.enum(['stopped', 'starting', 'ready', 'crashed']),
  /** Where a browser finds it, without a path: `http://name.localhost:4748`. The same after every start. */
  origin: z.string(),
  /** The port that is shown; null while there is none. */
  port: z.int().nullable(),
  /** All ports at which its command listens. */
  ports: z.array(z.int()),
  /** The command that runs, or ran last; null where there is none. */
  command: z.string().nullable(),
  /** What it printed last, without colours. */
  log: z.string(),
  /** How its command ended last; null where it has not. */
  exit: z.object({ code: z.int().nullable(), signal: z.string().nullable() }).nullable(),
  /** How often it was started again since somebody started it. */
  restartCount: z.int().nonnegative(),
  /** What a person should know, in words; null for nothing. */
  problem: z.string().nullable(),
})
export type PreviewRow = z.infer<typeof PreviewRow>

const onePreview = z.object({ previewId: OutsideId })

const SourcePlace = z.object({ file: z.string(), line: z.int().positive(), column: z.int().nonnegative() })

/** An error of a preview, told apart from others by its signature. [PREV5] */
export const PreviewErrorRow = z.object({
  signature: z.string(),
  kind: ToldError.shape.kind,
  name: z.string(),
  message: z.string(),
  count: z.int().nonnegative(),
  firstSeenAt: z.number(),
  lastSeenAt: z.number(),
  /** Where in the workspace it was thrown; null where that is not known. */
  place: SourcePlace.nullable(),
})
export type PreviewErrorRow = z.infer<typeof PreviewErrorRow>

const MESSAGE_CHARS = 700

/** An error on a few lines, as it is sent to a model. */
export function previewErrorText({ name, message, count, place }: PreviewErrorRow): string {
  const at = place === null ? '' : `\nat ${place.file}:${place.line}:${place.column + 1}`
  const times = count > 1 ? ` (×${Math.min(count, 999)})` : ''
  return `${name}: ${message.slice(0, MESSAGE_CHARS)}${times}${at}`
}

const previewErrors = z.object({ errors: z.array(PreviewErrorRow) })

/** Previews: made, started, stopped and entered. Everyone sees those of places that they may use. */
export const previewRoutes = {
  listPreviews: {
    method: 'GET',
    path: '/previews',
    access: 'user',
    params: nothing,
    query: z.strictObject({
      /** Only those of the place of one conversation. */
      conversationId: OutsideId.exactOptional(),
    }),
    body: nothing,
    answers: { 200: z.object({ previews: z.array(PreviewRow) }) },
  },
  makePreview: {
    method: 'POST',
    path: '/previews',
    access: 'user',
    scope: 'tools',
    params: nothing,
    query: nothing,
    /**
     * Of command, port and folder at most one; none of them: what is found in the place. Without a workspace and a
     * conversation the place is the workspace of the start.
     */
    body: z.strictObject({
      workspaceId: OutsideId.exactOptional(),
      conversationId: OutsideId.exactOptional(),
      command: z.string().trim().min(1).max(PREVIEW_LIMITS.command).exactOptional(),
      /** A port of this machine; administrators name one. */
      port: z.int().min(1).max(PREVIEW_LIMITS.highestPort).exactOptional(),
      /** From the place. */
      folder: z.string().max(PREVIEW_LIMITS.folder).exactOptional(),
    }),
    /** It is started too. 200: it was there already. */
    answers: { 200: PreviewRow, 201: PreviewRow },
  },
  readPreview: {
    method: 'GET',
    path: '/previews/:previewId',
    access: 'user',
    params: onePreview,
    query: nothing,
    body: nothing,
    answers: { 200: PreviewRow },
  },
  removePreview: {
    method: 'DELETE',
    path: '/previews/:previewId',
    access: 'user',
    scope: 'tools',
    params: onePreview,
    query: nothing,
    body: nothing,
    /** It is stopped first. */
    answers: { 200: z.object({ previewId: z.string() }) },
  },
  startPreview: {
    method: 'POST',
    path: '/previews/:previewId/start',
    access: 'user',
    scope: 'tools',
    params: onePreview,
    query: nothing,
    body: nothing,
    answers: { 200: PreviewRow },
  },
  stopPreview: {
    method: 'POST',
    path: '/previews/:previewId/stop',
    access: 'user',
    scope: 'tools',
    params: onePreview,
    query: nothing,
    body: nothing,
    /** Nothing that it started is there any more. */
    answers: { 200: PreviewRow },
  },
  restartPreview: {
    method: 'POST',
    path: '/previews/:previewId/restart',
    access: 'user',
    scope: 'tools',
    params: onePreview,
    query: nothing,
    body: nothing,
    answers: { 200: PreviewRow },
  },
  makePreviewTicket: {
    method: 'POST',
    path: '/previews/:previewId/ticket',
    access: 'user',
    params: onePreview,
    query: nothing,
    body: z.strictObject({
      /** Where to in the preview, with its query; absent: its beginning. */
      path: z.string().startsWith('/').max(PREVIEW_LIMITS.path).exactOptional(),
    }),
    /** Opens the preview in a browser once, within a minute. [PREV1] */
    answers: { 200: z.object({ url: z.string() }) },
  },
  claimPreviewDocument: {
    method: 'POST',
    path: '/previews/:previewId/documents',
    access: 'user',
    params: onePreview,
    query: nothing,
    body: z.strictObject({
      /** What the script of a document said that it is; nothing else in the document knows it. [PREV3] */
      secret: z.string().min(1).max(100),
    }),
    /** 404 for a secret that was not given to a document of this preview, or was claimed before. */
    answers: { 200: z.object({ path: z.string() }) },
  },
  /** A picture of a page as it is when it is loaded anew, by a browser of the server. [PREV13] */
  photographPreview: {
    method: 'POST',
    path: '/previews/:previewId/picture',
    access: 'user',
    scope: 'tools',
    params: onePreview,
    query: nothing,
    body: z.strictObject({
      /** Which page, with its query; absent: the first. */
      path: z.string().startsWith('/').max(PREVIEW_LIMITS.path).exactOptional(),
      /** Of the window, in pixels. */
      width: z.int().min(PREVIEW_LIMITS.lowestWidth).max(PREVIEW_LIMITS.highestWidth),
      /** Of one element, by CSS; absent: what is seen of the page. */
      selector: z.string().min(1).max(1_000).exactOptional(),
    }),
    answers: {
      200: z.object({
        mediaType: z.enum(['image/png', 'image/jpeg']),
        /** Base64. */
        content: z.string(),
        width: z.int(),
        height: z.int(),
        /** How much of what the page asked for did not come: what is elsewhere is not loaded. */
        failedCount: z.int().nonnegative(),
      }),
    },
  },
  readPreviewErrors: {
    method: 'GET',
    path: '/previews/:previewId/errors',
    access: 'user',
    params: onePreview,
    query: nothing,
    body: nothing,
    answers: { 200: previewErrors },
  },
  /** What the page that shows a preview has heard of it: all that its document told since it was loaded. [PREV5] */
  tellPreviewErrors: {
    method: 'POST',
    path: '/previews/:previewId/errors',
    access: 'user',
    scope: 'tools',
    params: onePreview,
    query: nothing,
    body: z.strictObject({
      /** The conversation beside which it is shown: auto-fix of it is asked. [WS4] */
      conversationId: OutsideId.exactOptional(),
      errors: z.array(ToldError).max(20),
      /** When the document was loaded and with which HTTP status; null while it loads. */
      loaded: z.strictObject({ msAgo: z.number().nonnegative(), status: z.int().nonnegative() }).nullable(),
    }),
    answers: { 200: previewErrors },
  },
  /** Where in the workspace a picked element is made. [PREV4] */
  findPreviewSource: {
    method: 'POST',
    path: '/previews/:previewId/source',
    access: 'user',
    params: onePreview,
    query: nothing,
    body: SourceHint,
    answers: {
      200: z.object({
        /** Null where it cannot be said. */
        source: SourcePlace.extend({
          component: z.string().exactOptional(),
          /** `exact`: the very line; `near`: of an element around it; `file`: the file alone. */
          certainty: z.enum(['exact', 'near', 'file']),
        }).nullable(),
      }),
    },
  },
} as const satisfies Readonly<Record<string, Route>>
