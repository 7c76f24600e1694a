import { createSource, type Observable, type PlaceFiles, RequestFailedError, tellAtOnce } from '@holdfast/client'
import { answerOf } from '../shared/ask-server.ts'
import { contentOf, type FileContent, firstOtherLine, SHOWN_BYTES, textContent } from './file-text.ts'
import type { KeptEdits } from './kept-edits.ts'

/** What stands in a file on the disk, as it was read last. */
export interface Stands {
  /** Null where there is no file any more, or it is none that is saved here. */
  readonly hash: string | null
  /** With its byte order mark; null where it is no text that is saved here. */
  readonly text: string | null
}

/** One file as the page has it. */
export interface OpenFile {
  readonly path: string
  /** Null until it is read, and where it cannot be. */
  readonly content: FileContent | null
  readonly sizeBytes: number
  /** What is written over: what was read when the writing began. */
  readonly base: Stands
  /** What is written and not saved, with mark and line ends; null for nothing. */
  readonly written: string | null
  /** Whether what is written is kept over a reload. */
  readonly isKept: boolean
  /** What stands there by now, where that is another than what is written over; null for no conflict. */
  readonly theirs: Stands | null
  readonly isSaving: boolean
  readonly problem: string | null
  /** Grows each time another text stands in the file than the page had, and where it begins to be another. */
  readonly version: number
  readonly changedLine: number | null
}

/** One file that is open in the page: read, written, saved, and never lost. [UI69, UI70] */
export interface FileStore extends Observable<OpenFile> {
  /** Reads what stands there now; what is written stays, and a conflict is said. */
  read(): Promise<void>
  /** Takes what was written, with mark and line ends. */
  write(text: string): void
  /** Puts words in the place of what is shown, as something that is not saved. */
  putBack(text: string): void
  /** Saves over what was read, and over nothing else. */
  save(): Promise<void>
  /** Saves over what stands there by now. */
  keepMine(): Promise<void>
  /** Lets go what is written, and goes on from what stands there. */
  takeTheirs(): void
}

/** Opens a file. */
export function createFileStore(
  files: PlaceFiles,
  { path, kept }: { readonly path: string; readonly kept: KeptEdits },
): FileStore {
  const before = kept.read(path)
  const source = createSource<OpenFile>(
    {
      path,
      content: null,
      sizeBytes: 0,
      base: { hash: before?.base ?? null, text: null },
      written: before?.text ?? null,
      isKept: true,
      theirs: null,
      isSaving: false,
      problem: null,
      version: 0,
      changedLine: null,
    },
    tellAtOnce,
  )

  function change(changes: Partial<OpenFile>): void {
    source.set({ ...source.getSnapshot(), ...changes })
  }

  /** Goes on from what stands there. */
  function begin(content: FileContent | null, stands: Stands & { readonly sizeBytes: number }): void {
    const { base, version } = source.getSnapshot()
    const { sizeBytes, hash, text } = stands
    const isOther = base.hash !== hash || base.text !== text
    const changedLine = base.text === null || text === null ? null : firstOtherLine(base.text, text)
    change({
      content,
      sizeBytes,
      base: { hash, text },
      written: null,
      theirs: null,
      problem: null,
      ...(isOther ? { version: version + 1, changedLine } : {}),
    })
    kept.keep(path, null)
  }

  async function read(): Promise<void> {
    const { value, gone, problem } = await readOrGone(files, path)
    const state = source.getSnapshot()
    if (problem !== null) return change({ problem })
    const content = value === null ? null : contentOf(value.bytes, value.bytes.byteLength === value.sizeBytes)
    const text = content?.type === 'text' ? content.text.mark + content.text.text : null
    const stands = { hash: text === null ? null : (value?.hash ?? null), text, sizeBytes: value?.sizeBytes ?? 0 }
    if (state.written === null || state.written === text) {
      if (gone !== null) change({ content: null, problem: gone, base: { hash: null, text: null } })
      else begin(content, stands)
      return
    }
    if (stands.hash === state.base.hash) {
      change({
        content: content ?? state.content,
        sizeBytes: stands.sizeBytes,
        base: stands,
        theirs: null,
        problem: null,
      })
      return
    }
    const shown = state.content ?? { type: 'text' as const, text: textContent(state.written) }
    change({
      theirs: { hash: stands.hash, text },
      content: shown,
      problem: null,
      version: state.version + 1,
      changedLine: null,
    })
  }

  async function saveOver(expected: string | null): Promise<void> {
    const { written: text, isSaving } = source.getSnapshot()
    if (text === null || isSaving) return
    change({ isSaving: true, problem: null })
    try {
      const hash = await files.save({ path, text, expected })
      const now = source.getSnapshot()
      const written = now.written === text ? null : now.written
      const sizeBytes = new Blob([text]).size
      change({
        base: { hash, text },
        written,
        theirs: null,
        sizeBytes,
        content: { type: 'text', text: textContent(text) },
      })
      kept.keep(path, written === null ? null : { base: hash, text: written })
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      if (error.problem?.code === 'file-changed') await read()
      else change({ problem: (await answerOf(Promise.reject(error))).problem })
    } finally {
      change({ isSaving: false })
    }
  }

  function write(text: string): void {
    const { base } = source.getSnapshot()
    const written = text === base.text ? null : text
    change({ written, isKept: kept.keep(path, written === null ? null : { base: base.hash, text: written }) })
  }

  return {
    getSnapshot: source.getSnapshot,
    subscribe: source.subscribe,
    read,
    write,
    putBack(text) {
      write(text)
      change({ version: source.getSnapshot().version + 1, changedLine: null })
    },
    save: () => saveOver(source.getSnapshot().base.hash),
    keepMine: () => saveOver(source.getSnapshot().theirs?.hash ?? null),
    takeTheirs() {
      const { theirs, content, sizeBytes } = source.getSnapshot()
      if (theirs === null) return
      const now: FileContent | null = theirs.text === null ? content : { type: 'text', text: textContent(theirs.text) }
      begin(now, { ...theirs, sizeBytes })
      void read()
    },
  }
}

/** What stands there; `gone` in words where there is nothing. */
async function readOrGone(files: PlaceFiles, path: string) {
  try {
    return { value: await files.read(path, SHOWN_BYTES), gone: null, problem: null }
  } catch (error) {
    if (!(error instanceof RequestFailedError)) throw error
    const { problem } = await answerOf(Promise.reject(error))
    return error.status === 404 ? { value: null, gone: problem, problem: null } : { value: null, gone: null, problem }
  }
}
