import { readText } from '../files/text-file.ts'
import { changeFile } from '../workspace/change-file.ts'
import type { Changing } from '../workspace/file-change.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What a person wrote, and over what. */
export interface SaveWish {
  readonly path: string
  readonly bytes: Uint8Array
  /** SHA-256 of what was there when the person began; null where there was no file. */
  readonly expected: string | null
}

/** What stands there now. */
export interface SavedFile {
  readonly path: string
  readonly hash: string
  readonly isNew: boolean
}

/**
 * Saves what a person wrote in the place of what they read, and of nothing else. Only text in UTF-8 is saved, and only
 * over such text. [WS17]
 *
 * @throws {FileRefusal} `conflict` when something else stands there by now; nothing is changed then.
 */
export async function saveFile(
  workspace: Workspace,
  { path, bytes, expected }: SaveWish,
  changing: Changing,
): Promise<SavedFile> {
  const refuse = (code: 'conflict' | 'not-text' | 'protected', message: string) =>
    new FileRefusal({ code, path, message })
  if (readText(bytes) === null) throw refuse('not-text', `What is to be saved in ${path} is no text in UTF-8.`)
  const edit = {
    path,
    letters: 'any',
    decide(current: { readonly hash: string; readonly bytes: Uint8Array; readonly mode: number } | null) {
      if ((current?.hash ?? null) !== expected) {
        const now = current === null ? 'is not there any more' : 'has another content by now'
        throw refuse('conflict', `${path} ${now} than when it was read. Nothing was saved.`)
      }
      if (current !== null && readText(current.bytes) === null)
        throw refuse('not-text', `${path} is no text in UTF-8, and is not changed here.`)
      // A rename would take its place all the same.
      if (current !== null && (current.mode & ANYBODY_WRITES) === 0)
        throw refuse('protected', `${path} is marked as one that may only be read. Nothing was saved.`)
      return bytes
    },
  } as const
  const { path: real, change, hash } = await changeFile(workspace, edit, changing)
  if (hash === null) throw new Error(`Nothing stands at ${real} after it was saved`)
  return { path: real, hash, isNew: change?.kind === 'created' }
}

/** The right to write, of whoever. */
const ANYBODY_WRITES = 0o222
