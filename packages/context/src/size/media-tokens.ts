import type { InputPart } from '@holdfast/conversation'
import { modelFamily } from './model-family.ts'

type Media = Extract<InputPart, { type: 'image' | 'file' }>

/** A page of a document that is sent as one, in bytes and in tokens; used where the number of pages is not known. */
const PAGE_BYTES = 50_000
const PAGE_TOKENS = 2_000

/** Bytes of a text file that make one token. [DEFAULTS] */
const TEXT_BYTES_PER_TOKEN = 2.5

/** What a file costs whose content is not sent: its name and size. */
const NAME_TOKENS = 60

/** Tokens that a picture or a file takes of a request to a model, estimated. [COST5] */
export function attachmentTokens(part: Media, modelId: string): number {
  return mediaTokens(part, modelFamily(modelId))
}

/** Tokens of a picture or a file, by the formula of the vendor whose model it goes to. [COST5] */
export function mediaTokens(part: Media, family: string): number {
  const { mediaType, sizeBytes } = part.blob
  if (part.type === 'image' || mediaType.startsWith('image/')) return imageTokens(sizeOf(part), family)
  if (mediaType === 'application/pdf') return Math.ceil(sizeBytes / PAGE_BYTES) * PAGE_TOKENS
  if (/^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript)$/.test(mediaType))
    return NAME_TOKENS + Math.ceil(sizeBytes / TEXT_BYTES_PER_TOKEN)
  return NAME_TOKENS
}

interface Pixels {
  readonly widthPx: number
  readonly heightPx: number
}

function sizeOf(part: Media): Pixels | null {
  if (part.type !== 'image' || part.widthPx === undefined || part.heightPx === undefined) return null
  return { widthPx: part.widthPx, heightPx: part.heightPx }
}

/** Where the size is not known, the most that a picture costs. */
function imageTokens(size: Pixels | null, family: string): number {
  if (/^(?:gpt|o\d|chatgpt)/.test(family)) return tiles512(size ?? { widthPx: 2_048, heightPx: 2_048 })
  if (family.startsWith('gemini')) return tiles768(size ?? { widthPx: 3_072, heightPx: 3_072 })
  return area(size ?? { widthPx: 1_568, heightPx: 1_568 })
}

/** https://platform.claude.com/docs/en/build-with-claude/vision: width x height / 750, at most 1,568 pixels a side and about 1,600 tokens. */
function area(size: Pixels): number {
  const { widthPx, heightPx } = fitted(size, 1_568)
  return Math.min(1_600, Math.ceil((widthPx * heightPx) / 750))
}

/** https://platform.openai.com/docs/guides/images-vision: fit into 2,048, shorter side to 768, 170 a tile of 512 and 85. */
function tiles512(size: Pixels): number {
  const inSquare = fitted(size, 2_048)
  const scale = Math.min(1, 768 / Math.min(inSquare.widthPx, inSquare.heightPx))
  return 85 + 170 * Math.ceil((inSquare.widthPx * scale) / 512) * Math.ceil((inSquare.heightPx * scale) / 512)
}

/** https://ai.google.dev/gemini-api/docs/tokens: 258 for a small picture, else 258 a tile of 768. */
function tiles768({ widthPx, heightPx }: Pixels): number {
  if (widthPx <= 384 && heightPx <= 384) return 258
  return 258 * Math.ceil(widthPx / 768) * Math.ceil(heightPx / 768)
}

function fitted({ widthPx, heightPx }: Pixels, sidePx: number): Pixels {
  const scale = Math.min(1, sidePx / Math.max(widthPx, heightPx))
  return { widthPx: widthPx * scale, heightPx: heightPx * scale }
}
