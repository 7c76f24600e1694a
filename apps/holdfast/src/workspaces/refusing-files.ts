import { RefusedError, type WorkspaceFiles } from '@holdfast/server'
import { FileRefusal, type FileRefusalCode } from '@holdfast/toolbox'
import type { FilesByHand } from '@holdfast/workbench'

/** The files of places as the server serves them: what they refuse becomes the refusal of a request. */
export function refusingFiles(files: FilesByHand): WorkspaceFiles {
  return {
    list: (place, wish) =>
      refusing(async () => {
        const { entries, ...listed } = await files.list(place, wish)
        return { ...listed, entries: [...entries] }
      }),
    open: (place, wish) => refusing(() => files.open(place, wish)),
    save: (place, wish, signal) => refusing(() => files.save(place, wish, signal)),
    search: (place, words, signal) =>
      refusing(async () => {
        const { paths, files: found, isCut } = await files.search(place, words, signal)
        const listed = found.map(({ path, lines }) => ({ path, lines: [...lines] }))
        return { paths: [...paths], files: listed, isCut }
      }),
    marks: (place) =>
      refusing(async () => {
        const { marks, ...said } = await files.marks(place)
        return { ...said, marks: [...marks] }
      }),
    wait: (place, wish, signal) =>
      refusing(async () => {
        const { changed, isTouched } = await files.wait(place, wish, signal)
        return { changed: [...changed], isTouched }
      }),
  }
}

async function refusing<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error
    const { code, path, message } = error
    if (code === 'conflict') throw new RefusedError(412, 'file-changed', message)
    const status = code === 'not-found' ? 404 : code === 'too-large' ? 413 : 422
    throw new RefusedError(status, 'file-refused', WORDS[code]?.(path) ?? message)
  }
}

/** What is said to a person, where the words of the refusal are for a model. */
const WORDS: Readonly<Partial<Record<FileRefusalCode, (path: string) => string>>> = {
  'bad-name': (path) => `${path} is no name that a file of a workspace can have.`,
  outside: (path) => `${path} leads out of the workspace; only what lies in it is shown and changed.`,
  'not-a-file': (path) => `${path} is no file, but a folder, a pipe, a socket or a device.`,
  protected: (path) => `${path} belongs to the server or to git, or may only be read. It is left alone.`,
  'hard-linked': (path) =>
    `${path} has more than one name, and another may be outside of the workspace. It is left alone.`,
}
