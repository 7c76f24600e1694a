import { statSync } from 'node:fs'

/** Files and folders that no tool for files reads, lists or changes, whatever leads there: the server's own. [SEC14] */
export interface ClosedPlaces {
  /** Real paths, also of what is not there yet. */
  readonly paths: readonly string[]
  /** Whether a real path is one of them, or lies in one. */
  covers(realPath: string): boolean
  /** Whether what was opened is one of them, under whatever name: a mount shows a folder twice, a second name a file. */
  are(opened: Identity): boolean
}

/** What the system tells one file or folder from another by. */
export interface Identity {
  readonly dev: number
  readonly ino: number
}

/** Looks anew each time: a folder that is replaced has another identity. */
export function closedPlaces(paths: readonly string[]): ClosedPlaces {
  return {
    paths,
    covers: (realPath) => paths.some((path) => realPath === path || realPath.startsWith(`${path}/`)),
    are: ({ dev, ino }) =>
      paths.some((path) => {
        const stats = statSync(path, { throwIfNoEntry: false })
        return stats?.dev === dev && stats.ino === ino
      }),
  }
}
