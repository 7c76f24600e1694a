import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { changeFile } from '../workspace/change-file.ts'
import type { FileBytes } from '../workspace/file-bytes.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { answerOf, textAnswer } from './file-answer.ts'
import { type Replaced, type Replacement, replaceText } from './replace-text.ts'
import { bytesOfText, readText, type TextFile } from './text-file.ts'
import { type ChangingTools, checkSeen } from './write-tool.ts'

const MOST_LINES_NAMED = 20

const Input = z.object({
  path: z.string().describe('Relative to the workspace, with forward slashes'),
  old_text: z.string().min(1),
  new_text: z.string(),
  replace_all: z.boolean().default(false),
})

/** Replaces one text in a file that was read. */
export function createEditTool({ workspace, seen, changing }: ChangingTools): Tool {
  return defineTool({
    name: 'edit',
    description:
      'Replaces a text in a file that was read in this conversation. old_text must stand in the file exactly once, blanks and all ' +
      '(without the line numbers that read shows); with replace_all every occurrence is replaced.',
    input: Input,
    category: 'edit',
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    argumentRoles: { path: 'path', old_text: 'plain', new_text: 'plain' },
    timeoutMs: 30_000,
    run: ({ path, old_text: oldText, new_text: newText, replace_all: all }, context) =>
      answerOf(async () => {
        let lines: readonly number[] = []
        const decide = (current: FileBytes | null) => {
          const { file, replaced } = replaceIn(current, { path, seen, replacement: { oldText, newText, all } })
          lines = replaced.lines
          return bytesOfText({ text: replaced.text, hasMark: file.hasMark })
        }
        const edited = await changeFile(workspace, { path, decide }, changing(context))
        seen.note(edited.path, edited.hash)
        if (edited.change === null)
          return textAnswer(`old_text and new_text are the same. ${edited.path} was not changed.`)
        return textAnswer(`Edited ${edited.path} at ${inWords(lines)}.`)
      }),
  })
}

interface FileReplacement extends Pick<ChangingTools, 'seen'> {
  readonly path: string
  readonly replacement: Replacement
}

function replaceIn(
  current: FileBytes | null,
  { path, seen, replacement }: FileReplacement,
): { readonly file: TextFile; readonly replaced: Replaced & { readonly type: 'replaced' } } {
  const refuse = (code: 'not-found' | 'not-text' | 'no-match', message: string) =>
    new FileRefusal({ code, path, message })
  if (current === null) throw refuse('not-found', `There is no ${path}. Use write for a new file.`)
  checkSeen(current, { seen, path })
  const file = readText(current.bytes)
  if (!file) throw refuse('not-text', `${current.path} is not UTF-8 text and cannot be edited.`)
  const replaced = replaceText(file, replacement)
  switch (replaced.type) {
    case 'replaced':
      return { file, replaced }
    case 'absent': {
      const near = replaced.similarLine
      const hint =
        near === null
          ? 'Read the file again and copy the text exactly.'
          : `The same words stand at line ${near} with other blanks or other lines around them: copy that part exactly.`
      throw refuse('no-match', `old_text does not stand in ${current.path}. ${hint} Nothing was changed.`)
    }
    case 'ambiguous': {
      const count = replaced.lines.length
      const message = `old_text stands ${count} times in ${current.path}, at ${inWords(replaced.lines)}. Add lines around it until it is the only one, or set replace_all. Nothing was changed.`
      throw refuse('no-match', message)
    }
  }
}

function inWords(lines: readonly number[]): string {
  const named = lines.slice(0, MOST_LINES_NAMED).join(', ')
  const left = lines.length - MOST_LINES_NAMED
  return `line${lines.length === 1 ? '' : 's'} ${named}${left > 0 ? ` and ${left} more` : ''}`
}
