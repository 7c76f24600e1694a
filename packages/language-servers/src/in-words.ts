import type { Checked } from './checked.ts'
import type { NewErrors } from './compare-versions.ts'

const MOST_ERRORS = 20
const MOST_CHARS = 300

/**
 * What came of looking at a change, for the model and whoever reads its calls; null where there is nothing to say. What
 * stands in the words of a language is quoted from the code: it is data, on one line, and cut. [WS31]
 */
export function checkedInWords(checked: readonly Checked[], changed: ReadonlySet<string>): string | null {
  const parts = checked.flatMap((one) => partOf(one, changed) ?? [])
  return parts.length === 0 ? null : parts.join('\n')
}

function partOf(checked: Checked, changed: ReadonlySet<string>): string | null {
  const { language } = checked
  switch (checked.type) {
    case 'passed-over':
      return null
    case 'not-checked':
      return `Not checked for new errors of ${language}: ${onOneLine(checked.reason)}.`
    case 'checked': {
      const { errors, leftOutCount } = checked
      const left = leftOutCount === 0 ? [] : [`${leftOutCount} more changed files were not looked at.`]
      if (errors.length === 0) return left[0] ?? null
      const own = errors.filter(({ path }) => changed.has(path)).flatMap(linesOf)
      const others = errors.filter(({ path }) => !changed.has(path))
      return [
        `New errors of ${language} since this change:`,
        ...own.slice(0, MOST_ERRORS),
        ...(own.length > MOST_ERRORS ? [`… and ${own.length - MOST_ERRORS} more`] : []),
        ...others.map(
          ({ path, diagnostics }) => `${onOneLine(path)}: ${diagnostics.length} in this file, which it did not change`,
        ),
        ...left,
      ].join('\n')
    }
  }
}

function linesOf({ path, diagnostics }: NewErrors): readonly string[] {
  return diagnostics.map(({ line, column, message, code }) => {
    const name = code === '' ? '' : ` (${code})`
    return `${onOneLine(path)}:${line + 1}:${column + 1} ${onOneLine(message)}${name}`
  })
}

function onOneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return plain.length <= MOST_CHARS ? plain : `${plain.slice(0, MOST_CHARS)}…`
}
