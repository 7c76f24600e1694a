import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { type HeldFolder, statOrNull } from '../workspace/held-folder.ts'
import { entriesOf, type FolderEntry } from '../workspace/walk-files.ts'
import { absentInWords, enter, withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { answerOf, shownName, textAnswer } from './file-answer.ts'
import type { ReadingTools } from './read-tool.ts'

const MOST_ENTRIES = 1_000

const Input = z.object({
  path: z.string().default('.').describe('Relative to the workspace, with forward slashes; "." for the workspace'),
})

/** Lists one folder. */
export function createListTool({ workspace, strangers }: ReadingTools): Tool {
  return defineTool({
    name: 'list',
    description: `Lists one folder of the workspace: folders end in "/", files have their size in bytes. At most ${MOST_ENTRIES} names; use glob to find more.`,
    input: Input,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { path: 'path' },
    timeoutMs: 30_000,
    run: ({ path }, { report }) =>
      answerOf(async () => {
        const { lines, paths } = await linesOfFolder(workspace, path)
        await strangers?.read(
          paths.map((name) => ({ path: name, hash: null })),
          report,
        )
        const cut = lines.length > MOST_ENTRIES ? `\nThere are more; only ${MOST_ENTRIES} are listed.` : ''
        const count = Math.min(lines.length, MOST_ENTRIES)
        if (count === 0) return textAnswer(`${path} is an empty folder.`)
        return textAnswer(`${path}: ${count} names.${cut}\n${lines.slice(0, MOST_ENTRIES).join('\n')}`)
      }),
  })
}

interface Listed {
  readonly lines: readonly string[]
  readonly paths: readonly string[]
}

function linesOfFolder(workspace: Workspace, path: string): Promise<Listed> {
  return withPlace(workspace, { path, lastLink: 'follow', missingFolders: 'refuse' }, async (place) => {
    const { folder, name, stats } = place
    if (name === null) return linesOf(folder)
    if (stats === null)
      throw new FileRefusal({ code: 'not-found', path, message: await absentInWords(path, { folder, name }) })
    if (!stats.isDirectory())
      throw new FileRefusal({ code: 'not-a-folder', path, message: `${place.path} is not a folder. Use read.` })
    const inner = await enter(workspace, { folder, name })
    try {
      return await linesOf(inner)
    } finally {
      await inner.handle.close()
    }
  })
}

async function linesOf(folder: HeldFolder): Promise<Listed> {
  const lines: string[] = []
  const entries = await entriesOf(folder, MOST_ENTRIES + 1)
  for (const entry of entries) lines.push(await lineOf(entry, folder))
  return { lines, paths: entries.map(({ name }) => [...folder.segments, name].join('/')) }
}

async function lineOf({ name, type }: FolderEntry, folder: HeldFolder): Promise<string> {
  const shown = shownName(name)
  switch (type) {
    case 'folder':
      return `${shown}/`
    case 'file':
      return `${shown}  ${(await statOrNull(`${folder.at}/${name}`))?.size ?? 0}`
    case 'link':
      return `${shown}  (link)`
    case 'other':
      return `${shown}  (special file)`
  }
}
