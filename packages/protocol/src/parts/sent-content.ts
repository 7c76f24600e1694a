import * as z from 'zod'

/** Longest text of one part, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1_000_000

/** An id that someone else made up. */
export const OutsideId = z.string().min(1).max(200)

/** One part of what a client sends. A resource of an MCP server is read when it is sent. A file or a picture is named by the id that its upload was answered with. */
export const SentPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(MAX_TEXT_LENGTH) }),
  z.strictObject({ type: z.literal('quote'), text: z.string().max(MAX_TEXT_LENGTH), seq: z.int().positive() }),
  z.strictObject({ type: z.literal('file'), attachmentId: OutsideId }),
  z.strictObject({ type: z.literal('image'), attachmentId: OutsideId }),
  z.strictObject({
    type: z.literal('resource'),
    server: OutsideId,
    uri: z.string().min(1).max(4_000),
    /** What it is called, for people. */
    name: z.string().min(1).max(200),
  }),
])
export type SentPart = z.infer<typeof SentPart>

/** What a client sends: at least one part. */
export const SentContent = z.array(SentPart).min(1).max(100)

/** What stands in a composer: perhaps nothing. */
export const ComposerContent = z.array(SentPart).max(100)
