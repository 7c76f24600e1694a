/** One file of the repository, as the walls see it. */
export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly text: string
}

/** The package or app that a file belongs to, `undefined` for files of the repository itself. */
export function ownerOf(path: string): string | undefined {
  return /^(?:packages|apps)\/([^/]+)\//.exec(path)?.[1]
}

/** Says whether a file is part of what a package or app ships, its `testing` suites included. */
export function isShipped(path: string): boolean {
  return /^(?:packages|apps)\/[^/]+\/(?:src|bin)\//.test(path)
}

/** Says whether a file belongs to a package's `testing` suites. */
export function isSuite(path: string): boolean {
  return /^packages\/[^/]+\/src\/testing\//.test(path)
}
