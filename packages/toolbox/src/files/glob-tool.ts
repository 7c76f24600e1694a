import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { type GlobPattern, isPatternError, readGlob } from '../workspace/glob-pattern.ts'
import { type WalkEnd, walkFiles } from '../workspace/walk-files.ts'
import { answerOf, failureAnswer, folderName, shownName, textAnswer } from './file-answer.ts'
import type { ReadingTools } from './read-tool.ts'

const MOST_FILES = 500
const MOST_LOOKED_AT = 200_000

const Input = z.object({
  pattern: z.string().min(1).max(1_000).describe('Such as src/**/*.ts'),
  path: z.string().default('.').describe('The folder to look in'),
  include_ignored: z.boolean().default(false),
})

/** Finds files by their names. */
export function createGlobTool({ workspace, strangers }: ReadingTools): Tool {
  return defineTool({
    name: 'glob',
    description:
      'Finds files by name: * within a name, ** for any folders, ?, [a-z], {one,other}. A pattern without a slash matches in every folder. ' +
      `What .gitignore names is left out unless include_ignored is set. At most ${MOST_FILES} files.`,
    input: Input,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { path: 'path', pattern: 'plain' },
    timeoutMs: 30_000,
    run: ({ pattern, path, include_ignored: includeIgnored }, { report, signal }) =>
      answerOf(async () => {
        const glob = globOrNull(pattern)
        if (!glob) return failureAnswer(`${pattern} is not a glob. Such as src/**/*.ts is one.`)
        const found: string[] = []
        const end = await walkFiles(workspace, {
          path,
          ignored: includeIgnored ? 'include' : 'skip',
          signal,
          limitCount: MOST_LOOKED_AT,
          async onFile({ path: filePath, pathBelow }) {
            if (glob.matches(pathBelow)) found.push(filePath)
            return found.length < MOST_FILES
          },
        })
        await strangers?.read(
          found.map((name) => ({ path: name, hash: null })),
          report,
        )
        const note = endInWords(end, MOST_FILES)
        if (found.length === 0)
          return textAnswer(`No file matches ${pattern} in ${folderName(path)}.${note}${includeIgnored ? '' : IGNORED}`)
        return textAnswer(`${found.length} files.${note}\n${found.map(shownName).join('\n')}`)
      }),
  })
}

const IGNORED = ' Files that .gitignore names were not looked at.'

/** What to say when a walk did not come to everything. */
export function endInWords(end: WalkEnd, mostFound: number): string {
  switch (end) {
    case 'complete':
      return ''
    case 'ended':
      return ` There may be more: only ${mostFound} are shown. Make the pattern narrower.`
    case 'limit':
      return ` Only ${MOST_LOOKED_AT} names were looked at. Name a folder in path.`
  }
}

/** A glob, or null when the pattern is none. */
export function globOrNull(pattern: string): GlobPattern | null {
  try {
    return readGlob(pattern, 'exact')
  } catch (error) {
    if (isPatternError(error)) return null
    throw error
  }
}
