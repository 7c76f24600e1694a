import { activePath, type Entry, entriesOnPath, pathRanges } from '@holdfast/conversation'

/** The entries of the active path. */
export function onPath(log: readonly Entry[]): readonly Entry[] {
  return entriesOnPath(log, pathRanges(activePath.reduce(activePath.initial, log)))
}
