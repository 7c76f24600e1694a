import type { NetChange } from './change-set.ts'

/**
 * The order in which changes can be taken back: what is to go makes room first, then folders come back from the
 * outside in, then what stands in them; rights of folders last, for they may close them.
 */
export function inRestoreOrder(changes: readonly NetChange[]): readonly NetChange[] {
  const steps = new Map(changes.map((change) => [change, stepOf(change)]))
  return changes.toSorted((one, other) => {
    const [step, next] = [steps.get(one) ?? 0, steps.get(other) ?? 0]
    if (step !== next) return step - next
    const outermostFirst = depthOf(one) - depthOf(other)
    return step === STEPS.foldersGo || step === STEPS.rights
      ? -outermostFirst
      : step === STEPS.foldersCome
        ? outermostFirst
        : 0
  })
}

const STEPS = { filesGo: 0, foldersGo: 1, foldersCome: 2, filesCome: 3, rights: 4 } as const

function stepOf({ before, after }: NetChange): number {
  const [was, is] = [before?.entity ?? null, after?.entity ?? null]
  if (was === 'folder') return is === 'folder' ? STEPS.rights : STEPS.foldersCome
  if (is === 'folder') return STEPS.foldersGo
  return was === null ? STEPS.filesGo : STEPS.filesCome
}

function depthOf({ path }: NetChange): number {
  return path.split('/').length
}
