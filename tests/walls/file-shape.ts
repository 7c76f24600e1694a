import { maskCode } from './code-mask.ts'
import { isShipped, type SourceFile } from './source-file.ts'

const MOST_LINES = 400
const MOST_LINES_OF_AN_ORCHESTRATOR = 250

/** Files that put steps in order. One that passes its limit is split by phase. */
export const ORCHESTRATORS: readonly string[] = []

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
