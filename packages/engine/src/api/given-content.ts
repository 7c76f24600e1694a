import type { InputPart } from '@holdfast/conversation'

/** A part as a person names it, before what it names is looked up. */
export type NamedPart =
  | InputPart
  | { readonly type: 'file' | 'image'; readonly attachmentId: string }
  | { readonly type: 'resource'; readonly server: string; readonly uri: string }

/**
 * Content that names what is not there, or not any more. A command with it is answered as then where it was carried out
 * before, and is refused with `error` otherwise. [LOG4]
 */
export interface RefusedContent {
  readonly asked: readonly NamedPart[]
  readonly error: Error
}

/** What a command is to admit. */
export type GivenContent = readonly InputPart[] | RefusedContent
