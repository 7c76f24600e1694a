const SIGNATURES = [
  { type: 'image/png', from: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', from: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', from: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', from: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
] as const

/** The media type of a picture that models take, by its first bytes; null for anything else. */
export function pictureTypeOf(beginning: Uint8Array): string | null {
  const found = SIGNATURES.find(({ from, bytes }) => bytes.every((byte, index) => beginning[from + index] === byte))
  return found?.type ?? null
}
