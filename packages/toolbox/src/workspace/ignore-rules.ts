import { type GlobPattern, isPatternError, readGlob } from './glob-pattern.ts'

/** The rules of one `.gitignore`, for the folder that has it. */
export interface IgnoreRules {
  /** Names from the root to the folder of the file. */
  readonly folderDepth: number
  readonly rules: readonly IgnoreRule[]
}

interface IgnoreRule {
  readonly pattern: GlobPattern
  readonly foldersOnly: boolean
  readonly ignores: boolean
}

const MOST_RULES = 2_000

/** In UTF-16 code units; a longer line names no path that a system has. */
const LONGEST_RULE = 4_096

/** Reads a `.gitignore`. A line that git would not understand is skipped, as git does. */
export function readIgnoreRules(text: string, folderDepth: number): IgnoreRules {
  const lines = text.split('\n').slice(0, MOST_RULES)
  return { folderDepth, rules: lines.flatMap((line) => ruleOf(line.replace(/\r$/, ''))) }
}

function ruleOf(line: string): IgnoreRule[] {
  if (line.length > LONGEST_RULE) return []
  const bare = withoutClosingBlanks(line)
  if (bare === '' || bare.startsWith('#')) return []
  const ignores = !bare.startsWith('!')
  const glob = ignores ? bare : bare.slice(1)
  const foldersOnly = glob.endsWith('/')
  const name = foldersOnly ? glob.slice(0, -1) : glob
  if (name === '') return []
  try {
    // Braces mean nothing here, as in git.
    return [{ pattern: readGlob(name.replace(/[{}]/g, '\\$&'), 'exact'), foldersOnly, ignores }]
  } catch (error) {
    if (isPatternError(error)) return []
    throw error
  }
}

/** From the end: a regular expression looks at a run of blanks again for each blank of it. [SEC27] */
function withoutClosingBlanks(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ') end -= 1
  const isKept = end > 0 && end < line.length && line[end - 1] === '\\'
  return line.slice(0, isKept ? end + 1 : end)
}

/** Whether a path is ignored by the rules of the folders above it, the nearest and the last first. */
export function isIgnored(
  segments: readonly string[],
  { isFolder, ruleSets }: { readonly isFolder: boolean; readonly ruleSets: readonly IgnoreRules[] },
): boolean {
  for (const { folderDepth, rules } of ruleSets.toReversed()) {
    const path = segments.slice(folderDepth).join('/')
    const rule = rules.findLast(({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && pattern.matches(path))
    if (rule) return rule.ignores
  }
  return false
}
