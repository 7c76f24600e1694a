import { Readable } from 'node:stream'
import type { ExportedBlob, SecretMask } from '@holdfast/archive'
import {
  type Clock,
  createTurns,
  DamagedBlobError,
  doInParts,
  type Entry,
  type EntryStore,
} from '@holdfast/conversation'
import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute, TAKEN_OVER } from '../door/bind-route.ts'
import { piecesInTurn } from '../parts/pieces-in-turn.ts'
import { type DamagedStore, listingUnlessDamaged, readDamage } from './reading/read-damage.ts'

/** What the route of exports needs. */
export interface ExportRoutesDeps extends BindDeps {
  readonly store: DamagedStore & Pick<EntryStore, 'readBlob'>
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>
}

const MEDIA_TYPES = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const

/**
 * Serves conversations as files. What of a damaged log can be read is in them. Of all exports one piece is made at a time.
 * [LOG7, LOG18]
 */
export function bindExports({ store, clock, ...deps }: ExportRoutesDeps): void {
  const inTurn = createTurns()

  bindRoute(deps, routes.readDamage, async ({ params: { id }, answer }) => answer(200, await readDamage(store, id)))

  bindRoute(deps, routes.countSecrets, async ({ params: { id }, answer }) => {
    const { createSecretMask } = await import('@holdfast/archive')
    const mask = createSecretMask()
    for await (const entry of store.readableEntries(id)) await doInParts(mask.entry(entry), clock)
    return answer(200, mask.counts())
  })

  bindRoute(deps, routes.exportConversation, async ({ params: { id }, query, reply }) => {
    const { createSecretMask, exportHtml, exportJson, exportMarkdown } = await import('@holdfast/archive')
    const { format, tools, thinking, setAside, usage, attachments, redact } = query
    const listing = await listingUnlessDamaged(store, id)
    const head = listing?.head ?? null
    const mask = redact ? createSecretMask() : null
    const entries = () => (mask ? masked(store.readableEntries(id), { mask, clock }) : store.readableEntries(id))
    const title = listing?.title ?? null
    const shownTitle = title !== null && mask !== null ? await doInParts(mask.text(title), clock) : title
    const name = fileName(shownTitle, format)
    const options = {
      includesToolCalls: tools,
      includesThinking: thinking,
      includesSetAside: setAside,
      includesUsage: usage,
      includesAttachments: attachments,
      head,
    }
    // What a file holds cannot be masked: its hash would be another's.
    const readBlob = attachments && !redact ? blobReader(store, id) : null
    const pieces =
      format === 'json'
        ? exportJson({ conversationId: id, entries: entries(), readBlob, head })
        : (format === 'md' ? exportMarkdown : exportHtml)({ entries, options })
    await reply
      .code(200)
      .headers({
        'cache-control': 'private, no-store',
        'content-type': MEDIA_TYPES[format],
        'content-disposition': attachmentNamed(name),
      })
      .send(Readable.from(piecesInTurn(pieces, { inTurn, clock }), { highWaterMark: 1 }))
    return TAKEN_OVER
  })
}

async function* masked(
  entries: AsyncIterable<Entry>,
  { mask, clock }: { readonly mask: SecretMask; readonly clock: ExportRoutesDeps['clock'] },
): AsyncGenerator<Entry> {
  for await (const entry of entries) yield await doInParts(mask.entry(entry), clock)
}

/** Whoever imports it is told that a damaged blob is missing: each is read whole before anything of it is written. */
function blobReader(store: ExportRoutesDeps['store'], conversationId: string) {
  return async (hash: string): Promise<ExportedBlob | null> => {
    const address = { conversationId, hash }
    const blob = await store.readBlob(address)
    if (!blob || !(await isWhole(blob.content))) return null
    const again = await store.readBlob(address)
    return again && { mediaType: again.reference.mediaType, content: again.content }
  }
}

async function isWhole(content: AsyncIterable<Uint8Array>): Promise<boolean> {
  try {
    for await (const _ of content);
    return true
  } catch (error) {
    if (error instanceof DamagedBlobError) return false
    throw error
  }
}

const LONGEST_NAME = 80

/** A name that every file system takes, whatever the title says. */
export function fileName(title: string | null, format: string): string {
  const clean = (title ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[\\/:*?"<>|]+/g, '-')
    .replace(/^[.\s-]+|(?<![.\s])[.\s]+$/g, '')
  const short = [...clean].slice(0, LONGEST_NAME).join('').trim()
  const isTaken = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(short)
  return `${short === '' || isTaken ? `conversation ${short}`.trim() : short}.${format}`
}

/** The header that has a browser save the answer under a name. https://www.rfc-editor.org/rfc/rfc6266 */
function attachmentNamed(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
