import type { InputPart, SeenPreview } from '@holdfast/conversation'
import type { ConversationCommand } from './command-base.ts'

/** Asks that errors of a preview are mended without a word of a person, or are not. [WS4] */
export interface SwitchAutoFix extends ConversationCommand {
  /** Null: the one that it mended last. */
  readonly previewId: string | null
  readonly isOn: boolean
}

/** What is seen of a preview beside a conversation. */
export interface MendPreview {
  readonly conversationId: string
  readonly seen: SeenPreview
  /** What an attempt says to the model: the errors with these signatures. */
  readonly contentOf: (attempt: number, signatures: readonly string[]) => readonly InputPart[]
}

/** What auto-fix did about it. */
export type Mended =
  | { readonly type: 'nothing' | 'attempted' | 'ended' }
  /** It looks again then. */
  | { readonly type: 'waits'; readonly untilMs: number }

/** Auto-fix of previews. */
export interface AutoFixEngine {
  /** @throws {UnknownConversationError | RefusedCommandError} */
  switchAutoFix(command: SwitchAutoFix): Promise<void>
  /** Does what auto-fix does now, once: by the log as it is at the moment of the append. @throws {UnknownConversationError} */
  mendPreview(asked: MendPreview): Promise<Mended>
}
