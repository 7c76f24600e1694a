import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { GivenDocuments } from '../documents/given-documents.ts'

/** What stands at the origin of one preview. */
export interface Site {
  readonly previewId: string
  readonly documents: GivenDocuments
  /** Answers somebody who was let in. */
  request(incoming: IncomingMessage, outgoing: ServerResponse): void
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
}
