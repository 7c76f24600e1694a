import { pictureTypeOf } from '@holdfast/conversation'
import { defineTool, type Tool, type ToolReturn } from '@holdfast/tool'
import * as z from 'zod'
import type { StrangersReader } from '../strangers/strangers-reader.ts'
import { type FileBytes, readBytes } from '../workspace/file-bytes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { answerOf, failureAnswer, textAnswer } from './file-answer.ts'
import type { SeenFiles } from './seen-files.ts'
import { linesOf, readText } from './text-file.ts'

const READABLE_BYTES = 16 << 20
const PICTURE_BYTES = 5 << 20
const MOST_LINES = 2_000
const LONGEST_LINE_CHARS = 2_000
/** Under the limit of a result, so that a page is never cut in its middle. */
const PAGE_CHARS = 45_000

const Input = z.object({
  path: z.string().describe('Relative to the workspace, with forward slashes'),
  from_line: z.int().positive().default(1).describe('The first line wanted; lines count from 1'),
  line_count: z.int().positive().max(MOST_LINES).default(MOST_LINES),
})

/** What tools that read files work with. */
export interface ReadingTools {
  readonly workspace: Workspace
  /** Notes what strangers wrote; null where nobody asks. */
  readonly strangers: Pick<StrangersReader, 'read'> | null
}

/** Reads a file: text by numbered lines, a picture as a picture. */
export function createReadTool({ workspace, seen, strangers }: ReadingTools & { readonly seen: SeenFiles }): Tool {
  return defineTool({
    name: 'read',
    description:
      'Reads a file of the workspace. Text comes with a line number and a tab before each line; pictures (PNG, JPEG, GIF, WebP) as pictures. ' +
      `At most ${MOST_LINES} lines at once: ask for the next ones with from_line. A file has to be read before it is edited.`,
    input: Input,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { path: 'path' },
    timeoutMs: 30_000,
    run: ({ path, from_line: fromLine, line_count: lineCount }, { report }) =>
      answerOf(async () => {
        const file = await readBytes(workspace, { path, limitBytes: READABLE_BYTES })
        seen.note(file.path, file.hash)
        await strangers?.read([file], report)
        return shown(file, { fromLine, lineCount })
      }),
  })
}

interface Range {
  readonly fromLine: number
  readonly lineCount: number
}

function shown({ path, bytes }: FileBytes, range: Range): ToolReturn {
  const mediaType = pictureTypeOf(bytes)
  if (mediaType !== null) return shownPicture({ path, bytes, mediaType })
  const file = readText(bytes)
  if (!file)
    return failureAnswer(`${path} is not UTF-8 text: ${bytes.byteLength} bytes, ${kindOf(bytes)}. It is not shown.`)
  const lines = linesOf(file.text)
  if (lines.length === 0) return textAnswer(`${path} is empty.`)
  if (range.fromLine > lines.length)
    return failureAnswer(`${path} has ${lines.length} lines; there is no line ${range.fromLine}.`)
  const page = pageOf(lines, range)
  const last = range.fromLine + page.length - 1
  const isWhole = range.fromLine === 1 && last === lines.length
  const head = `${path}: ${isWhole ? 'all' : `${range.fromLine} to ${last} of`} ${lines.length} lines${lineEndNote(file.lineEnd)}.`
  const more = last < lines.length ? `\nMore: read again with from_line ${last + 1}.` : ''
  return textAnswer(`${head}${more}\n${page.join('\n')}`)
}

function pageOf(lines: readonly string[], { fromLine, lineCount }: Range): string[] {
  const page: string[] = []
  let chars = 0
  for (const [index, line] of lines.slice(fromLine - 1, fromLine - 1 + lineCount).entries()) {
    const left = line.length - LONGEST_LINE_CHARS
    const text = left > 0 ? `${line.slice(0, LONGEST_LINE_CHARS)} [… ${left} more characters]` : line
    const numbered = `${String(fromLine + index).padStart(6)}\t${text}`
    chars += numbered.length + 1
    if (chars > PAGE_CHARS && page.length > 0) break
    page.push(numbered)
  }
  return page
}

function shownPicture({
  path,
  bytes,
  mediaType,
}: {
  readonly path: string
  readonly bytes: Uint8Array
  readonly mediaType: string
}): ToolReturn {
  const size = `${mediaType}, ${bytes.byteLength} bytes`
  if (bytes.byteLength > PICTURE_BYTES)
    return failureAnswer(`${path} is a picture of ${size}; at most ${PICTURE_BYTES} bytes can be shown.`)
  return {
    type: 'tool-return',
    text: `${path}: ${size}.`,
    isError: false,
    images: [{ bytes, mediaType, name: path.split('/').at(-1) ?? path }],
  }
}

function kindOf(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return 'UTF-16 text'
  return bytes.includes(0) ? 'binary' : 'in another encoding'
}

function lineEndNote(lineEnd: 'lf' | 'crlf' | 'mixed'): string {
  switch (lineEnd) {
    case 'lf':
      return ''
    case 'crlf':
      return ', line ends CRLF (kept when it is edited)'
    case 'mixed':
      return ', line ends partly LF, partly CRLF (kept when it is edited)'
  }
}
