import { relative } from 'node:path'
import type { ConversationSettings } from '@holdfast/conversation'
import type { ToolsQuery } from '@holdfast/engine'
import type { AgentPrograms } from './agent-programs.ts'
import type { Places } from './places.ts'
import type { Worktree } from './worktrees/book.ts'
import type { ChangedPath } from './worktrees/work-done.ts'
import { WorktreeRefusal } from './worktrees/worktree-refusal.ts'

/** What places of sub-agents are found with. */
export interface SubAgentPlaceDeps {
  readonly programs: Pick<AgentPrograms, 'worktrees'>
  readonly places: Pick<Places, 'folderOf'>
}

/** Where a sub-agent that is a program is to work. */
export type PlannedPlace =
  /** In a worktree of its own, made of this folder. */
  | { readonly type: 'apart'; readonly folder: string; readonly inside: string }
  /** Where its caller does. */
  | { readonly type: 'beside-caller'; readonly why: string }

/** A place that was made. */
export interface TakenPlace {
  readonly settings: ConversationSettings
  /** Null where it works in its caller's place. */
  readonly worktree: Worktree | null
  /** Why that is so, for the caller; empty where it has a worktree. */
  readonly why: string
}

/** A worktree of its own where its caller's folder is in a repository; else its caller's folder. [AGENT58] */
export async function planPlace(
  { programs, places }: SubAgentPlaceDeps,
  { ownerId, settings }: ToolsQuery,
): Promise<PlannedPlace> {
  const { workspace: _, ...base } = settings
  const folder = places.folderOf({ ownerId, settings: base })
  const own = places.folderOf({ ownerId, settings })
  if (folder === null || own === null)
    return { type: 'beside-caller', why: 'this conversation has no folder, so it works in an empty one of the server' }
  const none = await programs.worktrees.whyNone(folder)
  if (none !== null) return { type: 'beside-caller', why: `no worktree can be made: ${none}` }
  return { type: 'apart', folder, inside: relative(folder, own) }
}

/** The place as it was planned. @throws {WorktreeRefusal} */
export async function takePlace(
  { programs }: SubAgentPlaceDeps,
  planned: PlannedPlace,
  asked: { readonly ownerId: string; readonly conversationId: string; readonly title: string },
): Promise<TakenPlace> {
  if (planned.type === 'beside-caller') return { settings: {}, worktree: null, why: planned.why }
  const worktree = await programs.worktrees.make({ ...asked, folder: planned.folder })
  const inside = planned.inside === '' ? {} : { workspace: planned.inside }
  return { settings: { worktreeId: worktree.id, ...inside }, worktree, why: '' }
}

/** In words of the question whether it may. */
export function plannedWords(planned: PlannedPlace): string {
  return planned.type === 'apart'
    ? `in a worktree of its own, made of ${planned.folder} as it stands`
    : `in the folder of this conversation itself (${planned.why})`
}

/** What its caller is told of where the work is. What a finished task left is committed to its branch first; where one that is over left nothing, the worktree goes. [AGENT58, AGENT66] */
export async function placeReport(
  { programs }: SubAgentPlaceDeps,
  { worktree, why }: TakenPlace,
  { title, isCompleted, isOver }: { readonly title: string; readonly isCompleted: boolean; readonly isOver: boolean },
): Promise<string> {
  if (worktree === null) return `It worked in the folder of this conversation itself: ${why}.`
  const { id, branch, baseBranch, baseCommit, isCarried } = worktree
  const from = `${baseBranch ?? 'a commit'} at ${baseCommit.slice(0, SHORT)}`
  const carried = isCarried === true ? ', which is what your folder held, with what is not committed there' : ''
  const where = `It worked in a worktree of its own, on branch ${branch}, begun from ${from}${carried}.`
  try {
    const { files, commit, isUncommitted } = await programs.worktrees.workDone(id, isCompleted ? title : null)
    if (files.length === 0 && !isOver) return `${where} It changed no file.`
    if (files.length === 0) {
      await programs.worktrees.remove(id)
      return `${where} It changed no file, so the worktree was removed; the person brings it back in its conversation.`
    }
    const range = `${baseCommit.slice(0, SHORT)} ${commit.slice(0, SHORT)}`
    const taking = isUncommitted
      ? 'Not all of it is committed there: the person takes it over by Finish, in its conversation.'
      : `It is committed there as ${commit.slice(0, SHORT)}. To take it over, run in your folder: git diff --binary ${range} | git apply. Or the person does, by Finish in its conversation.`
    return `${where} Your folder has none of this yet. Files that it changed (A new, M changed, D deleted):\n${listed(files)}\n${taking}`
  } catch (error) {
    if (!(error instanceof WorktreeRefusal)) throw error
    return `${where} What it changed cannot be told: ${error.message}`
  }
}

const SHORT = 10

/** Files that are named; of more, how many. */
const MOST_FILES = 100

function listed(files: readonly ChangedPath[]): string {
  const shown = files.slice(0, MOST_FILES).map(({ path, became }) => `${became} ${path}`)
  return [...shown, ...(files.length > MOST_FILES ? [`and ${files.length - MOST_FILES} more`] : [])].join('\n')
}
