export type { BackgroundReader, SeenProcess } from './background-reader.ts'
export type { ReadBase } from './change-reviewer.ts'
export type { FilesByHand, HandPlace } from './files-by-hand.ts'
export { HARMLESS_TOOLS } from './harmless-tools.ts'
export { createKnownFiles, type FileReader, type KnownFiles, type KnownFilesDeps } from './known-files.ts'
export { createPlaces, type Places, type PlacesDeps, type Roots, type WorktreePlace } from './places.ts'
export type { AgentsSchedules, ScheduleProposal, Told } from './schedule-tool.ts'
export { createSubAgentTool, type SubAgentDeps } from './sub-agent.ts'
export { createWorkbench, type Workbench, type WorkbenchDeps } from './workbench.ts'
export { type BaseChanges, baseChanges } from './worktrees/base-changes.ts'
export type { Worktree } from './worktrees/book.ts'
export type { Finished } from './worktrees/finish-worktree.ts'
export type { WorktreeBounds, WorktreeStanding } from './worktrees/gauge.ts'
export { createGit, type Git, type GitDeps } from './worktrees/git.ts'
export type { WorktreeWish } from './worktrees/make-worktree.ts'
export type { WorktreeStep } from './worktrees/steps.ts'
export { WorktreeRefusal, type WorktreeRefusalCode } from './worktrees/worktree-refusal.ts'
export {
  openWorktrees,
  type Worktrees,
  type WorktreesDeps,
} from './worktrees/worktrees.ts'
