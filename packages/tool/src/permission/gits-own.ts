/** Marks, blanks without width and soft hyphens, which some disks skip when they compare names. */
const SKIPPED = /\p{Mn}|\p{Cf}/gu

/**
 * Whether a path lies in git's own folder, under any spelling that some disk takes for it. What stands there is
 * run by git: hooks, filters, aliases. Only git writes it.
 */
export function isGitsOwn(segments: readonly string[]): boolean {
  return segments.some((segment) => {
    const plain = segment
      .normalize('NFKC')
      .replace(SKIPPED, '')
      .replace(/(?<![. ])[. ]+$/, '')
    return plain.toLowerCase() === '.git' || /^git~\d+$/i.test(plain)
  })
}
