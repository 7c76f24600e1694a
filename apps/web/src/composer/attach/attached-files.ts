import { type AttachmentApi, type Observable, RequestFailedError } from '@holdfast/client'
import { Attachment, type SentPart } from '@holdfast/protocol'
import * as z from 'zod'
import { lineCount } from '../../shared/format.ts'
import { bytesText } from '../../shared/language/bytes-text.ts'
import { say } from '../../shared/language/say.ts'
import { errorText } from '../../shared/problem-words.ts'
import { unsentKeeper } from '../../shared/tab-storage.ts'
import { type Shrinking, smallerPicture } from './smaller-picture.ts'

/** The most that one file has, in bytes. [DEFAULTS] */
export const MAX_FILE_BYTES = 20_000_000

/** The most files that go along with one message. [DEFAULTS] */
export const MAX_FILES = 10

/** A file that goes along with the message that is being written. */
export interface AttachedFile {
  readonly key: string
  readonly name: string
  readonly mediaType: string
  readonly sizeBytes: number
  /** The lines of a text that was pasted; null for a file. */
  readonly lineCount: number | null
  /** How a picture was made smaller before it was sent; null where it was not. */
  readonly shrinking: Shrinking | null
  readonly state:
    | { readonly type: 'uploading'; readonly share: number }
    | { readonly type: 'here'; readonly attachment: Attachment }
    | { readonly type: 'failed'; readonly problem: string }
}

/** The files of one message that is being written. Those that the server has outlive a reload of the tab. [UI11] */
export interface AttachedFiles extends Observable<readonly AttachedFile[]> {
  /** Sends them to the server. One that is there already is left out; one that is empty, too large or one too many is said in `refusals`. */
  add(files: readonly File[]): void
  /** Why files are not attached, each once, in words; gone when the next ones are added, and with the message. [UI11] */
  readonly refusals: Observable<readonly string[]>
  /** A long text that was pasted goes along as a file. */
  addText(text: string): void
  retry(key: string): void
  /** Takes one out; an upload of it ends. */
  remove(key: string): void
  /** The text of one that was pasted; null after a reload. */
  textOf(key: string): Promise<string> | null
  /** What is sent of them: all that the server has. */
  parts(): readonly SentPart[]
  /** They were sent. */
  clear(): void
  /** Puts back what was sent from this tab and refused. */
  bringBack(content: readonly SentPart[]): void
}

/** What the tab keeps of them. */
const Kept = z.array(z.object({ attachment: Attachment, lineCount: z.int().nullable() }))

/** What was sent from this tab, by its id: where it is refused, it is shown again. */
const known = new Map<string, AttachedFile>()

const opened = new Map<string, AttachedFiles>()

/** The files that are attached in a conversation; the same for the same id. */
export function attachedFilesOf(api: AttachmentApi, conversationId: string): AttachedFiles {
  const files = opened.get(conversationId) ?? createAttachedFiles(api, `attached.${conversationId}`)
  opened.set(conversationId, files)
  return files
}

let nextKey = 1

function createAttachedFiles(api: AttachmentApi, keptKey: string): AttachedFiles {
  const listeners = new Set<() => void>()
  const sources = new Map<string, File>()
  const uploads = new Map<string, AbortController>()
  let files = keptFiles(unsentKeeper.load(keptKey))
  let refusals: readonly string[] = []

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function refuse(words: readonly string[]): void {
    refusals = words
    for (const listener of listeners) listener()
  }

  function set(next: readonly AttachedFile[]): void {
    files = next
    const kept = files.flatMap(({ state, lineCount }) =>
      state.type === 'here' ? [{ attachment: state.attachment, lineCount }] : [],
    )
    unsentKeeper.save(keptKey, kept.length === 0 ? null : JSON.stringify(kept))
    for (const listener of listeners) listener()
  }

  function change(key: string, changes: Partial<AttachedFile>): void {
    set(files.map((file) => (file.key === key ? { ...file, ...changes } : file)))
  }

  /** One after the other, so that the same file twice is seen; the uploads overlap. */
  async function attachAll(added: readonly File[]): Promise<void> {
    for (const file of added) await attach(file, null)
  }

  async function attach(file: File, lineCount: number | null): Promise<void> {
    if (await isThere(file)) return
    const refusal = refusalOf(file, files.length)
    if (refusal !== null) return refuse([...refusals.filter((words) => words !== refusal), refusal])
    const key = String(nextKey++)
    sources.set(key, file)
    const { name, type: mediaType, size: sizeBytes } = file
    const state = { type: 'uploading', share: 0 } as const
    set([...files, { key, name, mediaType, sizeBytes, lineCount, shrinking: null, state }])
    void upload(key, file)
  }

  async function upload(key: string, original: File): Promise<void> {
    const ending = new AbortController()
    uploads.set(key, ending)
    try {
      const { file, shrinking } = await smallerPicture(original)
      change(key, { shrinking, sizeBytes: file.size, mediaType: file.type, state: { type: 'uploading', share: 0 } })
      const attachment = await api.upload(file, {
        signal: ending.signal,
        onProgress: (share) => change(key, { state: { type: 'uploading', share } }),
      })
      const { name, mediaType, sizeBytes } = attachment
      change(key, { name, mediaType, sizeBytes, state: { type: 'here', attachment } })
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      change(key, { state: { type: 'failed', problem: errorText(error) } })
    } finally {
      uploads.delete(key)
    }
  }

  /** Whether the same bytes are attached already. */
  async function isThere(file: File): Promise<boolean> {
    for (const other of sources.values()) if (await isSame(file, other)) return true
    return false
  }

  function forget(key: string): void {
    uploads.get(key)?.abort()
    sources.delete(key)
  }

  return {
    getSnapshot: () => files,
    subscribe,
    refusals: { getSnapshot: () => refusals, subscribe },
    add(added) {
      refuse([])
      void attachAll(added)
    },
    addText(text) {
      const lines = lineCount(text)
      const name = say('attach.pasted-name', { count: lines })
      void attach(new File([text], `${name}.txt`, { type: 'text/plain' }), lines)
    },
    retry(key) {
      const file = sources.get(key)
      if (file) void upload(key, file)
    },
    remove(key) {
      forget(key)
      set(files.filter((file) => file.key !== key))
    },
    textOf: (key) => sources.get(key)?.text() ?? null,
    parts: () =>
      files.flatMap(({ state }): SentPart[] =>
        state.type === 'here' ? [{ type: state.attachment.type, attachmentId: state.attachment.id }] : [],
      ),
    clear() {
      for (const file of files) {
        if (file.state.type === 'here') known.set(file.state.attachment.id, file)
        forget(file.key)
      }
      refusals = []
      set([])
    },
    bringBack(content) {
      const back = content.flatMap((part) =>
        part.type === 'file' || part.type === 'image' ? (known.get(part.attachmentId) ?? []) : [],
      )
      set([...files, ...back])
    },
  }
}

/** Why a file does not go along with so many others; null where it does. */
function refusalOf({ name, size }: File, attachedCount: number): string | null {
  if (attachedCount >= MAX_FILES) return say('attach.too-many', { name, count: MAX_FILES })
  if (size > MAX_FILE_BYTES)
    return say('attach.too-large', { name, size: bytesText(size), limit: bytesText(MAX_FILE_BYTES) })
  return size === 0 ? say('attach.empty', { name }) : null
}

async function isSame(one: File, other: File): Promise<boolean> {
  if (one === other) return true
  if (one.size !== other.size || one.type !== other.type || one.size === 0) return false
  const [left, right] = await Promise.all([one.bytes(), other.bytes()])
  return left.every((byte, index) => byte === right[index])
}

function keptFiles(kept: string | null): readonly AttachedFile[] {
  if (kept === null) return []
  const read = Kept.safeParse(JSON.parse(kept))
  if (!read.success) return []
  return read.data.map(({ attachment, lineCount }) => {
    const { name, mediaType, sizeBytes } = attachment
    const state = { type: 'here', attachment } as const
    return { key: String(nextKey++), name, mediaType, sizeBytes, lineCount, shrinking: null, state }
  })
}
