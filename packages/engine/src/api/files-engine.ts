import type { ChangeTarget } from '@holdfast/conversation'
import type { ChangeDecision, ReviewedFile } from '@holdfast/tool'
import type { ConversationCommand } from './command-base.ts'

/** Names changes of files in a conversation; `turn` are those of the last turn that changed any. */
export interface ChangesQuestion {
  readonly conversationId: string
  readonly target: ChangeTarget | { readonly type: 'turn' }
}

/** Changes of files, as a person reviews them. [WS9] */
export interface ReviewedChanges {
  /** What was asked about, with the run in the place of the last turn. */
  readonly target: ChangeTarget
  /** The commit that they are compared with; null where that is what stood in the log. */
  readonly base: string | null
  /** In the order in which they can be taken back. */
  readonly files: readonly ReviewedFile[]
}

/** Keeps and rejects changes of files. */
export interface DecideChanges extends ConversationCommand {
  readonly target: ChangeTarget
  readonly decisions: readonly ChangeDecision[]
  /** Present to take back as well what changed while a call ran and no tool told. [TOOL15] */
  readonly meanwhile?: true
}

/** A file that was left alone, and why. */
export interface FileConflict {
  readonly path: string
  readonly reason: string
}

/** What became of decisions. */
export interface ChangesDecided {
  /** `seq` of the change set that the rejections are, which can be rejected too; null when no file was changed. */
  readonly seq: number | null
  /** Files that were changed by it. */
  readonly restored: readonly string[]
  readonly conflicts: readonly FileConflict[]
}

/** What can be asked about the files that a conversation changed. */
export interface FilesEngine {
  /**
   * Says what changes did, and what became of them; it does nothing.
   *
   * @throws {UnknownConversationError}
   * @throws {RefusedCommandError} where there is no base to compare with.
   */
  readChanges(question: ChangesQuestion): Promise<ReviewedChanges>
  /**
   * Keeps what is to stay and takes back what is rejected, that of sub-agents too. What is not as the changes left it is merged
   * where lines tell it apart, and else stays. What is taken back is a change set of its own, so it can be undone; the
   * model is told of it with its next request. [WS1, WS9]
   *
   * @throws {UnknownConversationError | RunActiveError}
   * @throws {RefusedCommandError} where there is no base to compare with.
   */
  decideChanges(command: DecideChanges): Promise<ChangesDecided>
}
