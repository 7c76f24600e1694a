import type { ToolReturn } from '@holdfast/tool'
import { FileRefusal } from '../workspace/file-refusal.ts'

/** What a tool returns for a text. */
export function textAnswer(text: string): ToolReturn {
  return { type: 'tool-return', text, isError: false, images: [] }
}

/** What a tool returns when it could not do what was asked. */
export function failureAnswer(text: string): ToolReturn {
  return { type: 'tool-return', text, isError: true, images: [] }
}

/** The answer of a tool; a refusal of the workspace is one as well, in its own words. */
export async function answerOf(work: () => Promise<ToolReturn>): Promise<ToolReturn> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FileRefusal) return failureAnswer(error.message)
    throw error
  }
}

/** A folder in a sentence, where a full stop may follow: that of the workspace has no name. */
export function folderName(path: string): string {
  return path === '.' || path === '' ? 'the workspace' : path
}

/** A name from a disk on one line, so that it cannot pass for more than a name. [REQ7] */
export function shownName(name: string): string {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/u.test(name)
    ? JSON.stringify(name).replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)
    : name
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
