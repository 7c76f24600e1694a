import * as z from 'zod'
import { BASE_PATH } from '../shared/address.ts'

/** Words that were written into a file and not saved. */
const KeptEdit = z.object({
  /** Hash of what they were written over; null for a file that was not there. */
  base: z.string().nullable(),
  /** With the byte order mark and line ends that the file has. */
  text: z.string(),
})
export type KeptEdit = z.infer<typeof KeptEdit>

/** Keeps what is not saved over a reload and the end of the browser, by file. */
export interface KeptEdits {
  read(path: string): KeptEdit | null
  /** Null for nothing to keep. @returns whether it is kept: a browser gives a page only so much room. */
  keep(path: string, edit: KeptEdit | null): boolean
  /** Files that have such words. */
  paths(): readonly string[]
}

const KEY = `holdfast.unsaved-file${BASE_PATH}`

/** Makes the keeper of one place. */
export function createKeptEdits(placeId: string): KeptEdits {
  const prefix = `${KEY}.${placeId}.`
  return {
    read(path) {
      const kept = localStorage.getItem(prefix + path)
      return kept === null ? null : (KeptEdit.safeParse(parsed(kept)).data ?? null)
    },
    keep(path, edit) {
      try {
        if (edit === null) localStorage.removeItem(prefix + path)
        else localStorage.setItem(prefix + path, JSON.stringify(edit))
        return true
      } catch (error) {
        if (error instanceof DOMException) return false
        throw error
      }
    },
    paths: () =>
      Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length)),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
