import * as z from 'zod'

/** What came over the line is no frame. Close the line: the other side has a defect or is another program. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly code = 'protocol-error'
}

/**
 * Reads one frame.
 *
 * @param limit - the longest frame taken, in UTF-16 code units.
 * @throws {ProtocolError} when `text` is too long, not JSON, or not a frame of `schema`.
 */
export function parseFrame<Frame>(schema: z.ZodType<Frame>, text: string, limit: number): Frame {
  if (text.length > limit) throw new ProtocolError(`Frame of ${text.length} code units is over the limit of ${limit}`)
  const frame = schema.safeParse(parseJson(text))
  if (!frame.success) throw new ProtocolError(`Not a frame: ${z.prettifyError(frame.error)}`, { cause: frame.error })
  return frame.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new ProtocolError('Frame is not JSON', { cause })
    throw cause
  }
}
