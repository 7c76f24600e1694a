/** A picture that a tool returns; the bytes are kept as a blob. */
export interface ReturnedImage {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly name?: string
}

/** What a tool returns when text alone does not say it. Everything else that it returns is written out as text. */
export interface ToolReturn {
  readonly type: 'tool-return'
  readonly text: string
  /** The tool ran and failed: shown as such, and told to the model. */
  readonly isError: boolean
  readonly images: readonly ReturnedImage[]
}

/** Whether a value is a `ToolReturn`, whoever made it. */
export function isToolReturn(value: unknown): value is ToolReturn {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'tool-return' &&
    'text' in value &&
    typeof value.text === 'string' &&
    'isError' in value &&
    typeof value.isError === 'boolean' &&
    'images' in value &&
    Array.isArray(value.images) &&
    value.images.every(isImage)
  )
}

function isImage(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'bytes' in value &&
    value.bytes instanceof Uint8Array &&
    'mediaType' in value &&
    typeof value.mediaType === 'string'
  )
}
