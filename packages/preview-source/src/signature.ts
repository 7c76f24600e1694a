/** What makes two errors the same. */
export interface ErrorIdentity {
  readonly kind: string
  readonly name: string
  readonly message: string
  /** Where in the workspace it was thrown; null where that is not known. */
  readonly place: { readonly file: string; readonly line: number } | null
}

/** Class, message without what differs each time, and the first place inside the workspace. [PREV5] */
export function signatureOf({ kind, name, message, place }: ErrorIdentity): string {
  // A line that an edit above has moved is the same place still; the file is not.
  return [kind, name, bareMessage(message), place?.file ?? ''].join(' | ')
}

/** Without addresses, paths, hashes and numbers. */
function bareMessage(message: string): string {
  return message
    .slice(0, 1_000)
    .replace(/\bhttps?:\/\/[^\s'")]+/gu, '<address>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{8,}\b/giu, '<hash>')
    .replace(/\d+/gu, '<n>')
    .replace(/\s+/gu, ' ')
    .trim()
}
