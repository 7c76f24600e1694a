import { type BodyOf, ownRoutes, type PreviewErrorRow, type PreviewRow, type SourceHint } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'

/** What a preview is to be of. */
export type WantedPreview = z.input<(typeof ownRoutes)['makePreview']['body']>

/** What the page has heard of a preview. */
export type HeardOfPreview = z.input<(typeof ownRoutes)['tellPreviewErrors']['body']>

/** Where a picked element is made. */
export type FoundSource = BodyOf<typeof ownRoutes.findPreviewSource, 200>['source']

/** What a picture of a preview is to show. */
export type WantedPicture = z.input<(typeof ownRoutes)['photographPreview']['body']>

/** The previews of the server. Everything throws {RequestFailedError} when it is refused. */
export interface PreviewActs {
  /** Those of the place of a conversation. */
  listPreviews(conversationId: string): Promise<readonly PreviewRow[]>
  readPreview(previewId: string): Promise<PreviewRow>
  /** Makes one and starts it. */
  makePreview(wish: WantedPreview): Promise<PreviewRow>
  startPreview(previewId: string): Promise<PreviewRow>
  stopPreview(previewId: string): Promise<PreviewRow>
  restartPreview(previewId: string): Promise<PreviewRow>
  removePreview(previewId: string): Promise<void>
  /** An address that opens it once. */
  enterPreview(previewId: string, path: string): Promise<string>
  /** A picture of a page of it, as a file that can go along with a message. [PREV13] */
  photographPreview(previewId: string, wanted: WantedPicture, signal: AbortSignal): Promise<File>
  /** Whether the script of a document is the one that it says. [PREV20] */
  claimPreview(previewId: string, secret: string): Promise<void>
  tellPreview(previewId: string, heard: HeardOfPreview): Promise<readonly PreviewErrorRow[]>
  findSource(previewId: string, hint: SourceHint): Promise<FoundSource>
}

/** Makes them. */
export function createPreviewActs(ask: HttpApi): PreviewActs {
  const { listPreviews, readPreview, makePreview, startPreview, stopPreview, restartPreview, removePreview } = ownRoutes
  const { makePreviewTicket, claimPreviewDocument, tellPreviewErrors, findPreviewSource } = ownRoutes
  return {
    async listPreviews(conversationId) {
      return (await ask(listPreviews, listPreviews.answers[200], { query: { conversationId } })).previews
    },
    readPreview: (previewId) => ask(readPreview, readPreview.answers[200], { params: { previewId } }),
    makePreview: (body) => ask(makePreview, makePreview.answers[200], { body }),
    startPreview: (previewId) => ask(startPreview, startPreview.answers[200], { params: { previewId } }),
    stopPreview: (previewId) => ask(stopPreview, stopPreview.answers[200], { params: { previewId } }),
    restartPreview: (previewId) => ask(restartPreview, restartPreview.answers[200], { params: { previewId } }),
    async removePreview(previewId) {
      await ask(removePreview, removePreview.answers[200], { params: { previewId } })
    },
    async enterPreview(previewId, path) {
      const body = { path }
      return (await ask(makePreviewTicket, makePreviewTicket.answers[200], { params: { previewId }, body })).url
    },
    async photographPreview(previewId, body, signal) {
      const { photographPreview } = ownRoutes
      const { mediaType, content, ...size } = await ask(photographPreview, photographPreview.answers[200], {
        params: { previewId },
        body,
        signal,
      })
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
      const ending = mediaType === 'image/png' ? 'png' : 'jpg'
      return new File([bytes], `preview-${size.width}x${size.height}.${ending}`, { type: mediaType })
    },
    async claimPreview(previewId, secret) {
      const body = { secret }
      await ask(claimPreviewDocument, claimPreviewDocument.answers[200], { params: { previewId }, body })
    },
    async tellPreview(previewId, body) {
      return (await ask(tellPreviewErrors, tellPreviewErrors.answers[200], { params: { previewId }, body })).errors
    },
    async findSource(previewId, body) {
      return (await ask(findPreviewSource, findPreviewSource.answers[200], { params: { previewId }, body })).source
    },
  }
}
