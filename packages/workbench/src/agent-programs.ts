import { type AgentSettings, EXTERNAL_AGENT } from '@holdfast/conversation'
import type { Worktree } from './worktrees/book.ts'
import type { WorktreeWish } from './worktrees/make-worktree.ts'
import type { WorkDone } from './worktrees/work-done.ts'

/** An agent that is a program of this machine, as a task is handed to it. */
export interface AgentProgram {
  /** Under which it answers. */
  readonly modelId: string
  readonly name: string
  /** How it is started, for people. */
  readonly command: string
  /** Names exactly this program with how it is started. */
  readonly pinned: string
  /** What holds in each conversation that it answers. */
  readonly settings: AgentSettings
}

/** What agents that are programs need to be sub-agents. */
export interface AgentPrograms {
  /** Those that tasks of a person may be handed to now. An implementer gives none for who may not run programs here. [AGENT15] */
  of(ownerId: string): readonly AgentProgram[]
  readonly worktrees: HandedWorktrees
}

/** The worktrees that sub-agents work in. All throw {WorktreeRefusal} where it cannot be done. [AGENT58] */
export interface HandedWorktrees {
  /** Why no worktree can be made of a folder at all; null where one can. */
  whyNone(folder: string): Promise<string | null>
  /** Makes one of a folder with what is not committed there, or gives the one that the conversation has. */
  make(wish: Pick<WorktreeWish, 'ownerId' | 'conversationId' | 'folder' | 'title'>): Promise<Worktree>
  /** What was done in one; committed to its branch where a message for that is given. */
  workDone(id: string, message: string | null): Promise<WorkDone>
  remove(id: string): Promise<void>
}

/** Whether it is a program that answers with this model. */
export function isProgram(modelId: string | undefined): boolean {
  return modelId?.startsWith(EXTERNAL_AGENT) === true
}
