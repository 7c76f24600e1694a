import type { Actor } from '@holdfast/conversation'

/** A conversation that is to begin in a worktree of its own. */
export interface WorktreeWish {
  readonly commandId: string
  readonly conversationId: string
  readonly userId: string
  readonly actor: Actor
  readonly title: string | null
}
