import type { InputPart } from '@holdfast/conversation'
import { type BlobSource, fileAsText, inputAsText } from '@holdfast/provider'
import type { PromptBlock } from './connection.ts'

/** A picture or another file that a person sent. */
export type AttachedPart = Extract<InputPart, { type: 'image' | 'file' }>

/** What an agent takes beside words. */
export interface TakenKinds {
  readonly takesImages: boolean
  /** Whether it takes what is embedded in a prompt. */
  readonly takesEmbedded: boolean
  /** Whether pictures have to be embedded where anything is. */
  readonly losesPicturesBeside: boolean
}

/** Something attached as an agent is sent it: words where it stands, and what goes along behind the words. */
export interface SentAttachment {
  readonly text: string
  readonly block: PromptBlock | null
}

/** Those that every vendor behind an agent takes: another one would be refused with all that was said before it. */
const PICTURES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/**
 * A picture goes as one to an agent that takes pictures, a PDF to one that takes what is embedded, and the words of a file as
 * words, to every agent. What an agent does not take it is told of. [AGENT49]
 */
export async function attachmentFor(
  part: AttachedPart,
  { blobs, taken }: { readonly blobs: BlobSource; readonly taken: TakenKinds },
): Promise<SentAttachment> {
  const { mediaType, hash } = part.blob
  if (PICTURES.has(mediaType)) {
    if (!taken.takesImages) return notSent(part)
    return { text: mark(part), block: { type: 'image', data: base64(await blobs.read(hash)), mimeType: mediaType } }
  }
  if (mediaType === 'application/pdf' && taken.takesEmbedded) {
    return { text: mark(part), block: embedded({ mimeType: mediaType, data: base64(await blobs.read(hash)), hash }) }
  }
  if (part.type === 'image' || !isWords(mediaType)) return notSent(part)
  const words = Buffer.from(await blobs.read(hash)).toString('utf8')
  return words.trim() === '' ? notSent(part) : { text: fileAsText(part, words), block: null }
}

/** Blocks as an agent takes them together. */
export function together(blocks: readonly PromptBlock[], { losesPicturesBeside }: TakenKinds): readonly PromptBlock[] {
  if (!losesPicturesBeside || blocks.every(({ type }) => type !== 'resource')) return blocks
  return blocks.map((block, at) => (block.type === 'image' ? embedded({ ...block, hash: String(at) }) : block))
}

function embedded({
  mimeType,
  data,
  hash,
}: {
  readonly mimeType: string
  readonly data: string
  readonly hash: string
}): PromptBlock {
  return { type: 'resource', resource: { uri: `attachment:${hash.slice(0, 12)}`, mimeType, blob: data } }
}

function notSent(part: AttachedPart): SentAttachment {
  return { text: inputAsText(part), block: null }
}

/** What goes along is named in the words, so that the agent knows which is which. */
function mark(part: AttachedPart): string {
  return inputAsText(part).replace(/ shown="no"\/>$/, ' shown="yes"/>')
}

function isWords(mediaType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript)$/.test(mediaType)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
