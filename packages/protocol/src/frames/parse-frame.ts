import * as z from 'zod'
import { CommandFrame } from '../commands/command-table.ts'
import { type Problem, problem } from '../parts/problem.ts'
import { MAX_CLIENT_FRAME_LENGTH } from './client-frames.ts'

/** What came over the line is no frame. Close the line: the other side has a defect or is another program. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly code = 'protocol-error'
  /** Whether it is one, but for its length or that of a text in it. */
  readonly isTooLong: boolean

  constructor(message: string, details?: { readonly cause?: unknown; readonly isTooLong?: boolean }) {
    super(message, details?.cause === undefined ? {} : { cause: details.cause })
    this.isTooLong = details?.isTooLong ?? false
  }
}

/**
 * Reads one frame.
 *
 * @param limit - the longest frame taken, in UTF-16 code units.
 * @throws {ProtocolError} when `text` is too long, not JSON, or not a frame of `schema`.
 */
export function parseFrame<Frame>(schema: z.ZodType<Frame>, text: string, limit: number): Frame {
  if (text.length > limit) throw tooLong(`Frame of ${text.length} code units is over the limit of ${limit}`)
  const frame = schema.safeParse(parseJson(text))
  if (!frame.success) throw noFrame(frame.error)
  return frame.data
}

/**
 * The id of the command that a text is meant to be, where it is one but for its fields or its length; null for anything else.
 * By it a command can be refused, and the line goes on. [SYNC8]
 */
export function meantCommandId(text: string): string | null {
  const meant = MeantCommand.safeParse(jsonOf(text))
  return meant.success ? meant.data.commandId : null
}

/** Says in words what is wrong with what was sent; `inputWords` is one. */
export type WordsOfInput = (error: z.ZodError, subject: string) => string

/**
 * What a client is told of what is no frame. Of the words only a beginning: they may be those of the frame.
 *
 * @param wordsOf - given, for a page has no room for all words.
 */
export function frameProblem({ message, isTooLong, cause }: ProtocolError, wordsOf: WordsOfInput): Problem {
  const said = cause instanceof z.ZodError && !isTooLong ? `${NO_FRAME}. ${wordsOf(cause, 'The frame')}` : message
  const detail = said.slice(0, DETAIL_CHARS)
  return isTooLong ? problem(413, 'too-large', detail) : problem(400, 'bad-request', detail)
}

/** Why no server takes a command; null where one does. [SYNC8] */
export function commandProblem(command: CommandFrame): Problem | null {
  try {
    parseFrame(CommandFrame, JSON.stringify(command), MAX_CLIENT_FRAME_LENGTH)
    return null
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return frameProblem(error, placeOf)
  }
}

const DETAIL_CHARS = 500
const NO_FRAME = 'This is no frame that is taken'

/** The first place that is wrong. */
function placeOf({ issues: [first] }: z.ZodError): string {
  return first === undefined ? '' : `${first.path.join('.')}: ${first.message}`
}

const MeantCommand = z.looseObject({ type: z.literal('command'), commandId: z.string().min(1).max(200) })

function noFrame(error: z.ZodError): ProtocolError {
  const [first] = error.issues
  if (first?.code === 'too_big' && first.origin === 'string')
    return tooLong(`The text at ${first.path.join('.')} is over its limit of ${first.maximum} characters`)
  return new ProtocolError(`${NO_FRAME}: ${placeOf(error)}`, { cause: error })
}

function tooLong(message: string): ProtocolError {
  return new ProtocolError(message, { isTooLong: true })
}

function parseJson(text: string): unknown {
  const json = jsonOf(text)
  if (json === undefined) throw new ProtocolError('Frame is not JSON')
  return json
}

/** Undefined where a text is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
