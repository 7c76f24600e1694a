/** An error at a place of a file, as a language server says it. */
export interface Diagnostic {
  /** From 0. */
  readonly line: number
  /** From 0, in code units of UTF-16. */
  readonly column: number
  readonly message: string
  /** What the language calls it; empty for nothing. */
  readonly code: string
}

/** A version of a file, and what is wrong in it. */
export interface Version {
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * What is wrong now and was not before. Errors move with their lines: one is the same when it says the same about a line with
 * the same text, or, where no such one is left, when it says the same at all.
 */
export function newDiagnostics(before: Version | null, now: Version): readonly Diagnostic[] {
  if (before === null) return now.diagnostics
  const left = [...before.diagnostics]
  const oldLines = before.text.split('\n')
  const newLines = now.text.split('\n')
  const withLine = (lines: readonly string[]) => (one: Diagnostic) => `${keyOf(one)}\n${(lines[one.line] ?? '').trim()}`
  const moved = unmatched(now.diagnostics, left, { keyNow: withLine(newLines), keyBefore: withLine(oldLines) })
  return unmatched(moved, left, { keyNow: keyOf, keyBefore: keyOf })
}

type KeyOf = (diagnostic: Diagnostic) => string

/** Those that nothing of `left` is the same as; what is the same is taken out of it. */
function unmatched(
  found: readonly Diagnostic[],
  left: Diagnostic[],
  { keyNow, keyBefore }: { readonly keyNow: KeyOf; readonly keyBefore: KeyOf },
): readonly Diagnostic[] {
  return found.filter((one) => {
    const at = left.findIndex((old) => keyBefore(old) === keyNow(one))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

function keyOf({ code, message }: Diagnostic): string {
  return `${code} ${message}`
}
