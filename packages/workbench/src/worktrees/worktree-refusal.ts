/** Why a worktree was not made, removed, restored or finished. */
export type WorktreeRefusalCode =
  | 'no-git'
  | 'no-repository'
  | 'not-trusted'
  | 'bare'
  | 'no-commits'
  | 'in-progress'
  | 'name-taken'
  | 'too-many'
  | 'too-large'
  | 'gone'
  | 'not-ours'
  | 'unknown'
  | 'busy'
  | 'nested'
  | 'no-base'
  | 'dirty'
  | 'conflict'
  | 'nothing'
  | 'no-remote'
  | 'system'

/** It was refused, and what stood stands. The message is for the person: what is so, and what to do. */
export class WorktreeRefusal extends Error {
  override readonly name = 'WorktreeRefusal'
  readonly code: WorktreeRefusalCode

  constructor(code: WorktreeRefusalCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
