import { API_PATH, type Attachment, ownRoutes } from '@holdfast/protocol'
import { addressOf, notReached, readAs, toFailure } from '../link/http-answer.ts'
import type { HttpApi } from '../link/http-api.ts'
import { ticketed } from '../link/loaded-by-browser.ts'
import { headersOf, type ServerAddress } from '../link/web-socket-transport.ts'

/** A form on its way out. */
export interface FormToSend {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly form: FormData
  readonly signal: AbortSignal
  /** Told how much of it has gone, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

/**
 * Sends a form, and answers as `fetch` does, also for a refusal. It rejects with a TypeError where nobody answered, and
 * with a DOMException when it was aborted; every other rejection is taken for a bug.
 */
export type SendForm = (form: FormToSend) => Promise<Response>

/** Who follows an upload. */
export interface UploadFollower {
  /** Ends the upload when it fires. */
  readonly signal: AbortSignal
  /** Told how much of it has gone, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** Files that go along with a message. */
export interface AttachmentApi {
  /** Sends a file to the server, which keeps it for a message of this user. @throws {RequestFailedError} */
  upload(file: Blob & { readonly name: string }, follower: UploadFollower): Promise<Attachment>
  /** About how many tokens it takes of a request to a model; null for one that is not known. @throws {RequestFailedError} */
  readTokens(attachmentId: string, modelId: string | null): Promise<number>
  /** Where it is, for `ticketed`. */
  addressOf(attachmentId: string): string
  /** Where a browser gets by itself what is at an address of the server: good for a minute. [SEC19] @throws {RequestFailedError} */
  ticketed(target: string): Promise<string>
}

/** What it needs. */
export interface AttachmentApiDeps {
  readonly address: ServerAddress
  readonly ask: HttpApi
  readonly sendForm: SendForm
}

/** Sends a form by `fetch`, which tells nothing on the way. */
export const sendFormByFetch: SendForm = ({ url, headers, form, signal }) =>
  fetch(url, { method: 'POST', headers, body: form, signal })

/** Makes the way to the attachments of a server. */
export function createAttachmentApi({ address, ask, sendForm }: AttachmentApiDeps): AttachmentApi {
  return {
    async upload(file, { signal, onProgress }) {
      const form = new FormData()
      form.append('file', file, file.name)
      const url = addressOf(address.url, ownRoutes.upload.path, { query: file.name === '' ? {} : { name: file.name } })
      const headers = headersOf(address)
      const response = await sendForm({ url, headers, form, signal, onProgress }).catch((cause: unknown) => {
        if (!(cause instanceof TypeError || cause instanceof DOMException)) throw cause
        throw notReached(cause)
      })
      if (!response.ok) throw await toFailure(response)
      return await readAs(ownRoutes.upload.answers[201], response)
    },
    async readTokens(attachmentId, modelId) {
      const { readAttachmentTokens: route } = ownRoutes
      const query = modelId === null ? {} : { modelId }
      return (await ask(route, route.answers[200], { params: { attachmentId }, query })).tokens
    },
    addressOf: (attachmentId) => `${API_PATH}/attachments/${encodeURIComponent(attachmentId)}`,
    ticketed: (target) => ticketed({ ask, url: address.url }, target),
  }
}
