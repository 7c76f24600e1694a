import type { InputPart } from '@holdfast/conversation'
import type { SentPart } from '@holdfast/protocol'

/** Who points at something, and in which conversation; null before it has begun. */
export interface PointingPerson {
  readonly userId: string
  readonly conversationId: string | null
}

/** What people point at in their messages: read when it is sent, and sent as it was then. [REQ7] */
export interface PointedAt {
  /** @throws {RefusedError} when the canvas has no such element. */
  element(person: PointingPerson, part: SentPartOf<'canvas'>): Promise<InputPart>
  /** @throws {RefusedError} when there is no such agent or conversation, or it is another's. [SEC1] */
  mention(person: PointingPerson, part: SentPartOf<'mention'>): Promise<InputPart>
}

/** A part of one kind, as a client sends it. */
export type SentPartOf<Type extends SentPart['type']> = Extract<SentPart, { type: Type }>
