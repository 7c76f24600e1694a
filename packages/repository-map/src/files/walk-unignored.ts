import { type Dirent, readdirSync } from 'node:fs'
import createIgnore, { type Ignore } from 'ignore'
import { readPlainFile } from './read-plain-file.ts'

/** Files of a folder. */
export interface Listed {
  /** Relative, with forward slashes, sorted by their UTF-16 code units. */
  readonly paths: readonly string[]
  /** Whether there may be more. */
  readonly isCut: boolean
}

/** What a walk may take. */
export interface WalkLimits {
  readonly limitMs: number
  /** Names of folders that are not entered. */
  readonly leftOut: ReadonlySet<string>
}

const DEEPEST = 100
const IGNORE_FILE_BYTES = 1 << 20

interface Rules {
  /** The folder of the `.gitignore`, with a slash at its end; empty for the root. */
  readonly prefix: string
  readonly ignore: Ignore
}

/**
 * Files below a folder that no `.gitignore` on their way ignores. Links are not followed, and repositories within are
 * not entered. [MAP2]
 */
export function walkUnignored(rootPath: string, { limitMs, leftOut }: WalkLimits): Listed {
  const paths: string[] = []
  const endAt = performance.now() + limitMs
  let isCut = false

  function walk(prefix: string, above: readonly Rules[]): void {
    if (performance.now() > endAt || prefix.split('/').length > DEEPEST) {
      isCut = true
      return
    }
    const entries = entriesOf(`${rootPath}/${prefix}`)
    if (prefix !== '' && entries.some(({ name }) => name === '.git')) return
    const own = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
    const rules = own ? [...above, rulesOf(rootPath, prefix)] : above
    for (const entry of entries) {
      const path = `${prefix}${entry.name}`
      if (entry.isDirectory()) {
        if (!leftOut.has(entry.name) && !isIgnored(`${path}/`, rules)) walk(`${path}/`, rules)
      } else if (entry.isFile() && !isIgnored(path, rules)) paths.push(path)
    }
  }

  walk('', [])
  return { paths, isCut }
}

/** The nearest rules that say something of a path decide. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { prefix, ignore } of rules.toReversed()) {
    const { ignored, unignored } = ignore.test(path.slice(prefix.length))
    if (ignored || unignored) return ignored
  }
  return false
}

function rulesOf(rootPath: string, prefix: string): Rules {
  const text = readPlainFile(`${rootPath}/${prefix}.gitignore`, { limitBytes: IGNORE_FILE_BYTES, hardLinks: 'use' })
  const ignore = createIgnore({ ignorecase: false, allowRelativePaths: true })
  if (text !== null) ignore.add(text.toString('utf8'))
  return { prefix, ignore }
}

/** What cannot be read is not there for us. */
function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
