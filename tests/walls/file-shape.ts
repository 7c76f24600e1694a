import { maskCode } from './code-mask.ts'
import { isShipped, type SourceFile } from './source-file.ts'

const MOST_LINES = 600
const MOST_LINES_OF_AN_ORCHESTRATOR = 300

/** Files that put steps in order and are read from top to bottom. One that passes its limit is split by phase. */
export const ORCHESTRATORS: readonly string[] = [
  'apps/holdfast/src/compose.ts',
  'packages/context/src/request/build-request.ts',
  'packages/engine/src/calls/settle-calls.ts',
  'packages/engine/src/process/create-engine.ts',
  'packages/engine/src/run/conversation-worker.ts',
  'packages/engine/src/run/finish-step.ts',
  'packages/engine/src/run/recover.ts',
  'packages/engine/src/run/run-turn.ts',
  'packages/server/src/create-server.ts',
]

/** [ARCH8] Files that are too long, and orchestrators that do not exist. */
export function lengthOffences(files: readonly SourceFile[], orchestrators: readonly string[]): string[] {
  const known = new Set(files.map(({ path }) => path))
  return [
    ...files.flatMap(({ path, text }) => {
      const most = orchestrators.includes(path) ? MOST_LINES_OF_AN_ORCHESTRATOR : MOST_LINES
      const lines = text.replace(/\n$/, '').split('\n').length
      return lines > most ? [`${path}: ${lines} lines, ${most} at most`] : []
    }),
    ...orchestrators
      .filter((path) => !known.has(path))
      .map((path) => `${path}: is named as an orchestrator and does not exist`),
  ]
}

/** One `export { … } from './x.ts'` and nothing between two of them. */
const LIST = /export\s+(?:type\s+)?\{[^{}]*\}\s*from\s*'[^']*'\s*;?/g

/** [ARCH9] Star exports, default exports, and index files that hold anything but lists of names. */
export function exportOffences(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isShipped(path))
    .flatMap(({ path, text }) => {
      const mask = maskCode(text)
      const isIndex = path.endsWith('/index.ts')
      return [
        ...(/\bexport\s*(?:type\s*)?\*/.test(mask) ? [`${path}: export *`] : []),
        ...(/\bexport\s+default\b|\bas\s+default\b|\bexport\s*=/.test(mask) ? [`${path}: default export`] : []),
        ...(isIndex && mask.replace(LIST, '').trim() !== ''
          ? [`${path}: holds something else than lists of exported names`]
          : []),
      ]
    })
}

/** How a comment begins that leans on the one before it: who reads it alone learns nothing. "The same bytes" says what it is. */
const LEANING =
  /(?:\/\*\*|\/\/|^\s*\*) (?:The same(?:[,.:;]| (?:of|as|for|with|without|in|at|from|where|to|but)\b)|Also\b|…|Makes it\b)/

/** [ARCH19] Comments that begin with what stands before them and not with what is meant. */
export function leaningCommentOffences(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (LEANING.test(line) ? [`${path}:${index + 1}: the comment says what it is`] : [])),
  )
}

/** [ARCH15] Literals that are spread into another: a misspelt field in one compiles. The fields are written where they belong. */
export function literalSpreadOffences(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const mask = maskCode(text)
    return [...mask.matchAll(/\.\.\.\s*\{/g)].map(({ index }) => {
      const line = mask.slice(0, index).split('\n').length
      return `${path}:${line}: spreads an object literal`
    })
  })
}
