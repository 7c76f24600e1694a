import * as z from 'zod'
import { ProtocolError, parseFrame } from './parse-frame.ts'
import { MAX_SERVER_FRAME_LENGTH, ServerFrame } from './server-frames.ts'

const KINDS: ReadonlySet<string> = new Set(ServerFrame.options.map(({ shape }) => shape.type.value))

const AnyFrame = z.looseObject({ type: z.string().min(1) })

/** A frame of a kind that this version does not know. */
export interface UnknownFrame {
  readonly unknownType: string
}

/**
 * Reads one frame of a server. One of a kind that came with a later version is no defect: it is named, and passed over.
 *
 * @throws {ProtocolError} when `text` is too long, not JSON, no frame, or not as frames of its kind are. [SYNC9]
 */
export function parseServerFrame(text: string): ServerFrame | UnknownFrame {
  try {
    return parseFrame(ServerFrame, text, MAX_SERVER_FRAME_LENGTH)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const { type } = parseFrame(AnyFrame, text, MAX_SERVER_FRAME_LENGTH)
    if (KINDS.has(type)) throw error
    return { unknownType: type }
  }
}
