import type { ChangeTarget } from '@holdfast/conversation'
import type { ConversationCommand } from './command-base.ts'

/** Names changes of files in a conversation. */
export interface ChangesQuestion {
  readonly conversationId: string
  readonly target: ChangeTarget
}

/** Asks to bring files back to what they were before these changes. */
export interface RestoreFiles extends ConversationCommand {
  readonly target: ChangeTarget
  /** Present to bring back as well what changed while a call ran and no tool told. [TOOL15] */
  readonly meanwhile?: true
}

/** What a restoration would do to one file. */
export interface FileToRestore {
  readonly path: string
  /** Absent for a file. */
  readonly entity?: 'folder' | 'link'
  /** `nothing` for a file that is as it was before the changes already, and for a conflict. */
  readonly act: 'create' | 'change' | 'delete' | 'nothing'
  /** A unified diff from what the changes left to what stood there before them. */
  readonly diff: string
  /** Why it is left alone; null where nothing stands against it. */
  readonly conflict: string | null
  /** Present where no tool told the change: it was seen around a call, and comes back only where that is asked for too. [TOOL15] */
  readonly seenOnly?: true
}

/** A file that was left alone, and why. */
export interface FileConflict {
  readonly path: string
  readonly reason: string
}

/** What a restoration did. */
export interface FilesRestored {
  /** `seq` of the change set that it is itself, which can be restored too; null when nothing had to be changed. */
  readonly seq: number | null
  /** Files that it changed. */
  readonly restored: readonly string[]
  readonly conflicts: readonly FileConflict[]
}

/** What can be asked about the files that a conversation changed. */
export interface FilesEngine {
  /**
   * Says what a restoration would do, and does nothing.
   *
   * @throws {UnknownConversationError}
   */
  planRestore(question: ChangesQuestion): Promise<readonly FileToRestore[]>
  /**
   * Brings files back, those of sub-agents too. A file that is not what the changes left stays as it is. What is brought
   * back is a change set of its own, so it can be undone. [WS1]
   *
   * @throws {UnknownConversationError | RunActiveError}
   */
  restoreFiles(command: RestoreFiles): Promise<FilesRestored>
}
