/** What is taken out of a file and put in its place. */
export interface ChangedText {
  readonly path: string
  readonly oldText: string
  readonly newText: string
}

/** Lines that stay are kept so far around a change, so that it can be found in the file. */
const LINES_AROUND = 3

/** The part of two texts in which they differ: agents tell of an edit by the whole file before it and after it. [AGENT68] */
export function changedText({ path, oldText, newText }: ChangedText): ChangedText {
  const [old, now] = [oldText.split('\n'), newText.split('\n')]
  const most = Math.min(old.length, now.length)
  let before = 0
  while (before < most && old[before] === now[before]) before += 1
  let behind = 0
  while (behind < most - before && old.at(-1 - behind) === now.at(-1 - behind)) behind += 1
  const from = Math.max(0, before - LINES_AROUND)
  const cut = Math.max(0, behind - LINES_AROUND)
  const part = (lines: readonly string[]): string => lines.slice(from, lines.length - cut).join('\n')
  return { path, oldText: part(old), newText: part(now) }
}
