import { type BlobReference, type Clock, doInParts, type ToolResultPart } from '@holdfast/conversation'
import { cleanText } from './clean-text.ts'
import { textOfThrown, textOfValue } from './text-of-value.ts'
import { isToolReturn, type ReturnedImage, type ToolReturn } from './tool-return.ts'

/** What goes to the log and the model, and where the whole of it is. */
export interface BoundedOutput {
  readonly content: readonly ToolResultPart[]
  readonly blob?: BlobReference
}

/** How much of an output is kept, and where. */
export interface OutputLimits {
  /** Characters that go to the model; of more, the first and the last are left, marked. */
  readonly outputLimitChars: number
  /** Characters that are kept as a blob at most. */
  readonly keptLimitChars: number
}

/** Keeps a body, or throws within a limit. */
export type Keep = (content: AsyncIterable<Uint8Array>, mediaType: string) => Promise<BlobReference>

const PIECE_CHARS = 65_536
const MAX_IMAGES = 16

/**
 * What a tool has returned, as text within the limit: never empty, never with bytes that a provider or a
 * database refuses, whatever the value is. [TOOL5]
 */
export async function outputOf(
  value: unknown,
  { keptLimitChars }: OutputLimits,
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
): Promise<ToolReturn> {
  try {
    if (isToolReturn(value)) return { ...value, text: value.text === '' ? NOTHING : value.text }
  } catch (error) {
    return { type: 'tool-return', text: textOfThrown(error, 1_000), isError: true, images: [] }
  }
  const text =
    value === undefined || value === '' ? NOTHING : await doInParts(textOfValue(value, keptLimitChars), clock)
  return { type: 'tool-return', text, isError: false, images: [] }
}

const NOTHING = 'The tool returned nothing.'

/** The excerpt of a text: itself when it is short enough, else its head and tail around a mark. */
export function excerptOf(text: string, limitChars: number): string {
  if (text.length <= limitChars) return cleanText(text)
  const headChars = Math.ceil(limitChars * 0.6)
  const tailChars = limitChars - headChars
  const left = text.length - limitChars
  // Halves of a surrogate pair at the cuts become U+FFFD.
  const head = cleanText(text.slice(0, headChars))
  const tail = cleanText(text.slice(text.length - tailChars))
  return `${head}\n\n[… ${left} of ${text.length} characters are left out here …]\n\n${tail}`
}

/** Bounds an output, and keeps in the sink what does not fit. A sink that fails costs the rest, not the call. */
export async function boundOutput(
  { text, images }: ToolReturn,
  { limits, keep }: { readonly limits: OutputLimits; readonly keep: Keep | null },
): Promise<BoundedOutput> {
  const clean = excerptOf(text, limits.outputLimitChars)
  // What is made of terminal sequences alone is no text any more.
  const excerpt = clean === '' ? NOTHING : clean
  const pictures = await Promise.all(
    images.slice(0, MAX_IMAGES).map((image, index) => keepImage(image, { index, keep })),
  )
  if (text.length <= limits.outputLimitChars) return { content: [{ type: 'text', text: excerpt }, ...pictures] }
  const note = (words: string): BoundedOutput => ({
    content: [{ type: 'text', text: `${excerpt}\n\n[${words}]` }, ...pictures],
  })
  if (!keep) return note('The rest was not kept.')
  try {
    const blob = await keep(piecesOf(text, limits.keptLimitChars), 'text/plain')
    const all = text.length <= limits.keptLimitChars
    return {
      ...note(all ? 'The whole text is kept.' : `The first ${limits.keptLimitChars} characters are kept.`),
      blob,
    }
  } catch (error) {
    return note(`The rest could not be kept: ${textOfThrown(error, 300)}`)
  }
}

/** UTF-8 in pieces; halves of surrogate pairs become U+FFFD, whole pairs are not cut. */
async function* piecesOf(text: string, limitChars: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const end = Math.min(text.length, limitChars)
  for (let at = 0; at < end; ) {
    let to = Math.min(end, at + PIECE_CHARS)
    if (to < end && isHighSurrogate(text.charCodeAt(to - 1))) to++
    yield encoder.encode(text.slice(at, to))
    at = to
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

async function keepImage(
  { bytes, mediaType, name }: ReturnedImage,
  { index, keep }: { readonly index: number; readonly keep: Keep | null },
): Promise<ToolResultPart> {
  if (!keep) return { type: 'text', text: `[Picture ${index + 1}, ${bytes.byteLength} bytes, was not kept.]` }
  try {
    const blob = await keep(onePiece(bytes), mediaType)
    return { type: 'image', attachmentId: blob.hash, blob, ...(name === undefined ? {} : { name }) }
  } catch (error) {
    return { type: 'text', text: `[Picture ${index + 1} could not be kept: ${textOfThrown(error, 300)}]` }
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
