import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import type { FileRead } from '../strangers/strangers-reader.ts'
import { type FileBytes, readBytes } from '../workspace/file-bytes.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { isPatternError } from '../workspace/glob-pattern.ts'
import { withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { answerOf, failureAnswer, folderName, shownName, textAnswer } from './file-answer.ts'
import { findByRipgrep, type Ripgrep, RipgrepError } from './find-by-ripgrep.ts'
import { findText, SEARCHABLE_BYTES, type TextHits, type TextQuery } from './find-text.ts'
import { endInWords, globOrNull } from './glob-tool.ts'
import type { ReadingTools } from './read-tool.ts'
import { linesOf, readText } from './text-file.ts'

const MOST_LINES = 200
const LONGEST_LINE_CHARS = 300

/** What the search works with; without ripgrep it walks the files itself. */
export interface SearchTools extends ReadingTools {
  readonly ripgrep: Ripgrep | null
}

const Input = z.object({
  pattern: z.string().min(1).max(1_000),
  path: z.string().default('.').describe('The folder or file to look in'),
  files: z.string().min(1).max(1_000).optional().describe('Only files whose path matches this glob, such as *.ts'),
  literal: z.boolean().default(false).describe('Take the pattern as plain text'),
  ignore_case: z.boolean().default(false),
  include_ignored: z.boolean().default(false),
  context_lines: z.int().min(0).max(10).default(0),
})

/** Finds lines in files. */
export function createSearchTool({ workspace, strangers, ripgrep }: SearchTools): Tool {
  return defineTool({
    name: 'search',
    description:
      'Finds lines in the text files of the workspace by a regular expression (RE2 syntax: no look-around, no back-references). ' +
      `What .gitignore names is left out unless include_ignored is set. At most ${MOST_LINES} lines.`,
    input: Input,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { path: 'path', pattern: 'plain', files: 'plain' },
    timeoutMs: 60_000,
    run: (input, { report, signal }) =>
      answerOf(async () => {
        const files = input.files === undefined ? null : globOrNull(input.files)
        if (files === null && input.files !== undefined) return failureAnswer(`${input.files} is not a glob.`)
        const query: TextQuery = {
          pattern: input.pattern,
          isLiteral: input.literal,
          letters: input.ignore_case ? 'any-case' : 'exact',
          path: input.path,
          files,
          ignored: input.include_ignored ? 'include' : 'skip',
          limitLines: MOST_LINES,
          signal,
        }
        await refuseSpecial(workspace, input.path)
        const hits = await findOrProblem({ workspace, ripgrep }, query)
        if (typeof hits === 'string') return failureAnswer(hits)
        const { text, read } = await shown(hits, { workspace, ripgrep, query, contextLines: input.context_lines })
        await strangers?.read(read, report)
        return textAnswer(text)
      }),
  })
}

/** What is neither a file nor a folder is not waited for: a pipe gives nothing until somebody writes. @throws {FileRefusal} */
async function refuseSpecial(workspace: Workspace, path: string): Promise<void> {
  const walk = { path, lastLink: 'follow', missingFolders: 'refuse' } as const
  await withPlace(workspace, walk, async (place) => {
    const { stats } = place
    if (stats === null || stats.isFile() || stats.isDirectory()) return
    const message = `${place.path} is not a file, but a pipe, a socket or a device.`
    throw new FileRefusal({ code: 'not-a-file', path, message })
  })
}

async function findOrProblem({ workspace, ripgrep }: Searching, query: TextQuery): Promise<TextHits | string> {
  try {
    return ripgrep ? await findByRipgrep(workspace, query, ripgrep) : await findText(workspace, query)
  } catch (error) {
    if (isPatternError(error) || error instanceof RipgrepError)
      return `${query.pattern} cannot be searched for: ${error.message}. Set literal to look for the text itself.`
    throw error
  }
}

type Searching = Omit<SearchTools, 'strangers'>

interface Shown extends Searching {
  readonly query: TextQuery
  readonly contextLines: number
}

async function shown(
  hits: TextHits,
  { workspace, ripgrep, query, contextLines }: Shown,
): Promise<{ readonly text: string; readonly read: readonly FileRead[] }> {
  const by = ripgrep ? 'by ripgrep' : 'by the built-in search, as ripgrep is not installed'
  const blocks: string[] = []
  const read: FileRead[] = []
  let count = 0
  for (const [path, lines] of hits.lines) {
    const block = await blockOf(path, { workspace, lines, contextLines })
    if (block === null) continue
    count += lines.length
    blocks.push(block.text)
    read.push({ path, hash: block.hash })
  }
  const ignored = query.ignored === 'skip' ? ' What .gitignore names was not looked at.' : ''
  const large = ` Files over ${SEARCHABLE_BYTES} bytes are not looked into.`
  if (count === 0)
    return { text: `No line matches ${query.pattern} in ${folderName(query.path)} (${by}).${ignored}${large}`, read }
  const text = `${count} lines in ${blocks.length} files (${by}).${endInWords(hits.end, MOST_LINES)}\n\n${blocks.join('\n\n')}`
  return { text, read }
}

/** The lines of one file; null when it is not there any more, or not in the workspace. */
async function blockOf(
  path: string,
  {
    workspace,
    lines,
    contextLines,
  }: { readonly workspace: Workspace; readonly lines: readonly number[]; readonly contextLines: number },
): Promise<{ readonly text: string; readonly hash: string } | null> {
  let file: FileBytes
  try {
    file = await readBytes(workspace, { path, limitBytes: SEARCHABLE_BYTES })
  } catch (error) {
    if (error instanceof FileRefusal) return null
    throw error
  }
  const all = linesOf(readText(file.bytes)?.text ?? '')
  const hit = new Set(lines)
  const wanted = new Set(
    lines.flatMap((line) => Array.from({ length: 2 * contextLines + 1 }, (_, index) => line - contextLines + index)),
  )
  const rows = [...wanted]
    .filter((line) => line >= 1 && line <= all.length)
    .sort((one, other) => one - other)
    .map((line) => `${String(line).padStart(6)}${hit.has(line) ? ':' : '-'}\t${cut(all[line - 1] ?? '')}`)
  return rows.length === 0 ? null : { text: `${shownName(path)}\n${rows.join('\n')}`, hash: file.hash }
}

function cut(line: string): string {
  const left = line.length - LONGEST_LINE_CHARS
  return left > 0 ? `${line.slice(0, LONGEST_LINE_CHARS)} [… ${left} more characters]` : line
}
