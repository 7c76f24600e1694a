import type { WorktreeRow } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'

/** How a worktree stands, in a word or two; empty where it is as it began. */
export function shortStanding({ state, now, removedBy }: WorktreeRow): string {
  if (state === 'removed') return removedBy ?? say('worktrees.gone-short')
  if (now === null) return ''
  if (now.ahead > 0) return say('worktrees.ahead', { count: now.ahead })
  return now.isDirty ? say('worktrees.not-committed') : ''
}

/** How a worktree stands, in a line. */
export function worktreeWords({ state, now, problem, removedBy, baseBranch }: WorktreeRow): string {
  if (problem !== null) return problem
  if (state === 'busy') return say('worktrees.in-change')
  if (state === 'removed') return say('worktrees.is-removed', { why: removedBy ?? '' })
  const words = [baseBranch === null ? '' : say('worktrees.from', { base: baseBranch })]
  if (now) {
    words.push(say('worktrees.ahead', { count: now.ahead }))
    if (now.behind > 0) words.push(say('worktrees.behind', { count: now.behind }))
    if (now.isDirty) words.push(say('worktrees.not-committed'))
    if (!now.hasOwnWork) words.push(say('worktrees.nothing-of-its-own'))
  }
  return words.filter((word) => word !== '').join(' · ')
}
