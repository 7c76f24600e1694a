import * as z from 'zod'
import { Json } from './json.ts'

/** A body kept outside the log by the hash of its content. [LOG11] */
export const BlobReference = z.object({
  /** SHA-256 of the content, in lower-case hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.int().nonnegative(),
  mediaType: z.string().min(1),
})
export type BlobReference = z.infer<typeof BlobReference>

/** Words, as they were written. */
const TextPart = z.object({ type: z.literal('text'), text: z.string() })

/** A picture that a person attached or a tool returned. */
const ImagePart = z.object({
  type: z.literal('image'),
  attachmentId: z.string(),
  blob: BlobReference,
  name: z.string().exactOptional(),
  widthPx: z.int().positive().exactOptional(),
  heightPx: z.int().positive().exactOptional(),
})

/** A file that a person attached. */
const FilePart = z.object({
  type: z.literal('file'),
  attachmentId: z.string(),
  blob: BlobReference,
  name: z.string(),
})

/** The most of what a person points at that is sent with one message, in characters. */
export const POINTED_CHARS = 20_000

/** A range of lines of a file, both included, from 1. */
export const LineRange = z
  .strictObject({ from: z.int().positive(), to: z.int().positive() })
  .refine(({ from, to }) => from <= to, 'A range of lines ends where it begins or after it')

/** Words that a person points at: of a message, by its entry, or lines of a file, by its path. What stands outside of the log, such as in a terminal, has neither. */
const QuotePart = z.object({
  type: z.literal('quote'),
  text: z.string(),
  seq: z.int().positive().exactOptional(),
  path: z.string().min(1).exactOptional(),
  lines: LineRange.exactOptional(),
})

/** Where an element of a page is made, as far as the preview knows. */
const ElementSource = z.object({
  file: z.string(),
  line: z.int().positive(),
  column: z.int().nonnegative(),
  component: z.string().exactOptional(),
  certainty: z.string(),
})

/** An element of a previewed page. Its text is data, never instruction. [REQ7] */
const ElementPart = z.object({
  type: z.literal('element'),
  selector: z.string(),
  html: z.string(),
  url: z.string(),
  text: z.string().exactOptional(),
  role: z.string().exactOptional(),
  source: ElementSource.exactOptional(),
  /** A picture of it. */
  attachmentId: z.string().exactOptional(),
  blob: BlobReference.exactOptional(),
})

/** An error that a page or a program reported. Data. [REQ7] */
const ErrorPart = z.object({ type: z.literal('error'), text: z.string(), url: z.string().exactOptional() })

/** The address of a page that a person points at; nothing of it is read. Data. [REQ7] */
const LinkPart = z.object({ type: z.literal('link'), url: z.string(), title: z.string().exactOptional() })

/**
 * An element of the canvas that a person points at, with what it showed then, or answered: `answer` is what they gave.
 * Data. [REQ7]
 */
const CanvasPart = z.object({
  type: z.literal('canvas'),
  elementId: z.string(),
  answer: Json.exactOptional(),
  /** What it is called, for people. */
  name: z.string().exactOptional(),
  /** What it showed when the message was sent, as JSON. */
  text: z.string().exactOptional(),
})

/** A file, agent, tool or conversation that a person names with `@`. Data. [REQ7] */
const MentionPart = z.object({
  type: z.literal('mention'),
  kind: z.string(),
  /** The path of a file, the name of a tool, the id of all else. */
  id: z.string(),
  lines: LineRange.exactOptional(),
  /** What it is called, for people. */
  name: z.string().exactOptional(),
  /** What was said there when the message was sent, or what it is for. */
  text: z.string().exactOptional(),
})

/** The most of a resource that is sent with one message, in characters. */
export const RESOURCE_CHARS = 100_000

/** A resource of an MCP server that a person sent along: its text as the server gave it then. Data. [REQ7] */
const ResourcePart = z.object({
  type: z.literal('resource'),
  server: z.string().min(1),
  uri: z.string().min(1),
  name: z.string(),
  text: z.string().max(RESOURCE_CHARS),
  /** Present where the server gave more than is sent. */
  cut: z.literal(true).exactOptional(),
})

/** One part of what a person sends. */
export const InputPart = z.discriminatedUnion('type', [
  TextPart,
  ImagePart,
  FilePart,
  QuotePart,
  ElementPart,
  ErrorPart,
  LinkPart,
  CanvasPart,
  MentionPart,
  ResourcePart,
])
export type InputPart = z.infer<typeof InputPart>

/** What a person sends: at least one part. */
export const InputContent = z.array(InputPart).min(1)

/**
 * What a provider wants back with a block, unread by us: a thinking signature, an item id.
 * It goes only to the provider that gave it. [REQ4]
 */
const providerState = Json.exactOptional()

/** Words of the model. */
const TextBlock = z.object({ type: z.literal('text'), text: z.string(), providerState })

/** The model's thinking. Without `providerState` it is unsigned and is not sent again. */
const ThinkingBlock = z.object({ type: z.literal('thinking'), text: z.string(), providerState })

/** The model's wish to run a tool. */
export const ToolCallBlock = z.object({
  type: z.literal('tool-call'),
  callId: z.string().min(1),
  name: z.string(),
  /** The input as it came, byte for byte; whole JSON only if `complete`. [RUN10] */
  inputText: z.string(),
  /** False when the stream ended inside the input: shown, never executed. [STOP4] */
  complete: z.boolean(),
  providerState,
})

/** One block of an answer, in the order in which the model made it. */
export const AnswerBlock = z.discriminatedUnion('type', [TextBlock, ThinkingBlock, ToolCallBlock])
export type AnswerBlock = z.infer<typeof AnswerBlock>
export type ToolCallBlock = z.infer<typeof ToolCallBlock>

/** One part of what a tool returned. */
export const ToolResultPart = z.discriminatedUnion('type', [TextPart, ImagePart])
export type ToolResultPart = z.infer<typeof ToolResultPart>
