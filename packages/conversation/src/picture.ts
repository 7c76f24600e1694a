/** Which pictures models take, by how their bytes begin; `*` stands for any character. */
const BEGINNINGS = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF****WEBP'],
] as const

/** The media types of pictures that models take. */
export const PICTURE_TYPES: ReadonlySet<string> = new Set(BEGINNINGS.map(([mediaType]) => mediaType))

/** The media type of a picture that models take, by its first bytes; null for anything else. */
export function pictureTypeOf(bytes: Uint8Array): string | null {
  const found = BEGINNINGS.find(([, beginning]) => beginsWith(bytes, beginning))
  return found?.[0] ?? null
}

/** Where the first chunk says its name, its width and its height: https://www.w3.org/TR/png-3/#11IHDR */
const NAME_AT = 12
const WIDTH_AT = 16
const HEIGHT_AT = 20
const HEADER_BYTES = 33

/** How large a PNG says it is, in pixels; null for anything else. Nothing of it is decoded. */
export function pngSizeOf(bytes: Uint8Array): { readonly widthPx: number; readonly heightPx: number } | null {
  if (bytes.length < HEADER_BYTES || pictureTypeOf(bytes) !== 'image/png') return null
  if (!beginsWith(bytes.subarray(NAME_AT), 'IHDR')) return null
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const widthPx = header.getUint32(WIDTH_AT)
  const heightPx = header.getUint32(HEIGHT_AT)
  return widthPx === 0 || heightPx === 0 ? null : { widthPx, heightPx }
}

function beginsWith(bytes: Uint8Array, beginning: string): boolean {
  return [...beginning].every((letter, index) => letter === '*' || bytes[index] === letter.charCodeAt(0))
}
