import { defineTool, type FileChange, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { deleteTree, moveTree, TREE_LIMITS } from '../workspace/change-tree.ts'
import { answerOf, textAnswer } from './file-answer.ts'
import type { ChangingTools } from './write-tool.ts'

const UNDOABLE = { readOnly: false, destructive: false, idempotent: false, openWorld: false } as const

const MoveInput = z.object({
  from: z.string().describe('Relative to the workspace, with forward slashes'),
  to: z.string().describe('The new path, with the name; folders that are missing are made'),
})

/** Moves a file or a folder. */
export function createMoveTool({ workspace, seen, changing }: ChangingTools): Tool {
  return defineTool({
    name: 'move',
    description: 'Moves or renames a file or a folder within the workspace. Never replaces what is there.',
    input: MoveInput,
    category: 'edit',
    annotations: UNDOABLE,
    argumentRoles: { from: 'path', to: 'path' },
    timeoutMs: 60_000,
    run: ({ from, to }, context) =>
      answerOf(async () => {
        const changes = await moveTree(workspace, { from, to }, changing(context))
        // What was read under the old name is known under the new one.
        const known = changes.filter(({ kind, path }) => kind === 'deleted' && seen.hashOf(path) !== null)
        const knownHashes = new Set(known.map(({ path }) => seen.hashOf(path)))
        for (const { path, after } of changes)
          seen.note(path, after !== undefined && knownHashes.has(after.hash) ? after.hash : null)
        return textAnswer(`Moved ${from} to ${to}: ${countOf(filesIn(changes) / 2)}.`)
      }),
  })
}

const DeleteInput = z.object({ path: z.string().describe('Relative to the workspace, with forward slashes') })

/** Deletes a file or a folder that can be brought back. */
export function createDeleteTool({ workspace, seen, changing }: ChangingTools): Tool {
  return defineTool({
    name: 'delete',
    description: `Deletes a file, or a folder with up to ${TREE_LIMITS.fileCount} files. What it deletes is kept and can be restored.`,
    input: DeleteInput,
    category: 'edit',
    annotations: UNDOABLE,
    argumentRoles: { path: 'path' },
    timeoutMs: 60_000,
    run: ({ path }, context) =>
      answerOf(async () => {
        const changes = await deleteTree(workspace, path, changing(context))
        for (const change of changes) seen.note(change.path, null)
        return textAnswer(`Deleted ${path}: ${countOf(filesIn(changes))}.`)
      }),
  })
}

function filesIn(changes: readonly FileChange[]): number {
  return changes.filter(({ entity }) => entity === undefined).length
}

function countOf(files: number): string {
  return files === 1 ? '1 file' : `${files} files`
}
