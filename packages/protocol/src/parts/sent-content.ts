import { LineRange } from '@holdfast/conversation'
import * as z from 'zod'

/** Longest text of one part, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1_000_000

/** An id that someone else made up. */
export const OutsideId = z
  .string()
  .min(1)
  .max(200)
  // PostgreSQL keeps no text with one.
  .refine((id) => !id.includes('\0'), 'An id has no NUL character')

/** What a mention names. */
export const MentionKind = z.enum(['file', 'agent', 'tool', 'conversation'])
export type MentionKind = z.infer<typeof MentionKind>

/** Where it stands, in the outside world. */
const address = z.string().min(1).max(4_000)

/** The longest text of a page that goes along, in UTF-16 code units: of more, the model is sent the ends. */
const pageText = z.string().max(100_000)

/** One part of what a client sends. A resource of an MCP server, an element of the canvas and what is mentioned are read when it is sent. A file or a picture is named by the id that its upload was answered with. */
export const SentPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(MAX_TEXT_LENGTH) }),
  /** Words of a message, by its entry, lines of a file, by its path, or of a terminal, by nothing. */
  z.strictObject({
    type: z.literal('quote'),
    text: z.string().max(MAX_TEXT_LENGTH),
    seq: z.int().positive().exactOptional(),
    path: z.string().min(1).max(4_096).exactOptional(),
    lines: LineRange.exactOptional(),
  }),
  z.strictObject({ type: z.literal('file'), attachmentId: OutsideId }),
  z.strictObject({ type: z.literal('image'), attachmentId: OutsideId }),
  z.strictObject({
    type: z.literal('resource'),
    server: OutsideId,
    uri: z.string().min(1).max(4_000),
    /** What it is called, for people. */
    name: z.string().min(1).max(200),
  }),
  z.strictObject({
    type: z.literal('element'),
    selector: address,
    html: pageText,
    url: address,
    text: pageText.exactOptional(),
    role: z.string().max(200).exactOptional(),
    source: z
      .strictObject({
        file: address,
        line: z.int().positive(),
        column: z.int().nonnegative(),
        component: z.string().max(200).exactOptional(),
        certainty: z.string().max(40),
      })
      .exactOptional(),
    /** A picture of it that was uploaded. */
    attachmentId: OutsideId.exactOptional(),
  }),
  z.strictObject({ type: z.literal('error'), text: pageText.min(1), url: address.exactOptional() }),
  z.strictObject({
    type: z.literal('link'),
    url: z.url({ protocol: /^https?$/, error: 'Give a whole http or https address' }).max(4_000),
    title: z.string().max(200).exactOptional(),
  }),
  z.strictObject({ type: z.literal('canvas'), elementId: OutsideId }),
  z.strictObject({ type: z.literal('mention'), kind: MentionKind, id: address, lines: LineRange.exactOptional() }),
])
export type SentPart = z.infer<typeof SentPart>

/** What a client sends: at least one part. */
export const SentContent = z.array(SentPart).min(1).max(100)

/** What stands in a composer: perhaps nothing. */
export const ComposerContent = z.array(SentPart).max(100)
