/** A file, link or folder, by its path. */
interface NamedFile {
  readonly path: string
  readonly entity?: 'folder' | 'link'
}

/** What is worth naming of a list of files: folders that come or go with something in them need not be. */
export function namedFiles<File extends NamedFile>(files: readonly File[]): readonly File[] {
  const holding = new Set(files.flatMap(({ path }) => foldersAbove(path)))
  return files.filter(({ path, entity }) => entity !== 'folder' || !holding.has(path))
}

function foldersAbove(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}
