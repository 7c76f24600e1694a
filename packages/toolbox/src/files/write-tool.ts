import { defineTool, type Tool, type ToolContext } from '@holdfast/tool'
import * as z from 'zod'
import { changeFile } from '../workspace/change-file.ts'
import type { FileBytes } from '../workspace/file-bytes.ts'
import type { Changing } from '../workspace/file-change.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { answerOf, textAnswer } from './file-answer.ts'
import type { SeenFiles } from './seen-files.ts'
import { bytesOfText, readText, withLineEnds } from './text-file.ts'

/** What tools that change files work with. */
export interface ChangingTools {
  readonly workspace: Workspace
  readonly seen: SeenFiles
  /** How one call changes files. */
  readonly changing: (context: ToolContext) => Changing
}

const Input = z.object({
  path: z.string().describe('Relative to the workspace, with forward slashes'),
  content: z.string().describe('All of the new content'),
})

/** Writes a whole file, new or over one that was read. */
export function createWriteTool({ workspace, seen, changing }: ChangingTools): Tool {
  return defineTool({
    name: 'write',
    description:
      'Writes a whole text file, and makes the folders that it needs. A file that exists must have been read before; ' +
      'its kind of line ends and byte order mark are kept. For a part of a file use edit.',
    input: Input,
    category: 'edit',
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { path: 'path', content: 'plain' },
    timeoutMs: 30_000,
    run: ({ path, content }, context) =>
      answerOf(async () => {
        const decide = (current: FileBytes | null) => {
          if (current === null) return bytesOfText({ text: content, hasMark: false })
          checkSeen(current, { seen, path })
          const file = readText(current.bytes)
          return file
            ? bytesOfText({ text: withLineEnds(content, file.lineEnd), hasMark: file.hasMark })
            : bytesOfText({ text: content, hasMark: false })
        }
        const edited = await changeFile(workspace, { path, decide }, changing(context))
        seen.note(edited.path, edited.hash)
        if (edited.change === null) return textAnswer(`${edited.path} has this content already. Nothing was changed.`)
        const size = edited.change.after?.sizeBytes ?? 0
        return textAnswer(`${edited.change.kind === 'created' ? 'Created' : 'Wrote'} ${edited.path}, ${size} bytes.`)
      }),
  })
}

/** @throws {FileRefusal} when the file was not read in this conversation, or is not what was read. */
export function checkSeen(
  current: FileBytes,
  { seen, path }: { readonly seen: SeenFiles; readonly path: string },
): void {
  const hash = seen.hashOf(current.path)
  if (hash === null) {
    const message = `${current.path} exists and was not read in this conversation. Read it first; nothing was changed.`
    throw new FileRefusal({ code: 'not-read', path, message })
  }
  if (hash !== current.hash) {
    const message = `${current.path} was changed on the disk since it was read. Read it again; nothing was changed.`
    throw new FileRefusal({ code: 'conflict', path, message })
  }
}
