const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Where the first chunk says its name, its width and its height: https://www.w3.org/TR/png-3/#11IHDR */
const NAME_AT = 12
const WIDTH_AT = 16
const HEIGHT_AT = 20
const HEADER_BYTES = 33

/** How large a PNG says it is, in pixels; null for anything else. Nothing of it is decoded. */
export function pngSizeOf(bytes: Buffer): { readonly widthPx: number; readonly heightPx: number } | null {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null
  if (bytes.toString('latin1', NAME_AT, WIDTH_AT) !== 'IHDR') return null
  const widthPx = bytes.readUInt32BE(WIDTH_AT)
  const heightPx = bytes.readUInt32BE(HEIGHT_AT)
  return widthPx === 0 || heightPx === 0 ? null : { widthPx, heightPx }
}
