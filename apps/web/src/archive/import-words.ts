import type { ImportAnswer } from '@holdfast/protocol'

/** What an import is to a person: a file on its way, or what became of it. */
export interface ShownImport {
  readonly key: string
  readonly name: string
  /** Null until the server has the file. */
  readonly answer: ImportAnswer | null
  /** Why the file could not be sent or followed; null while that goes well. */
  readonly problem: string | null
}

/** What stands beside the name of a file. */
export function importWords({ answer, problem }: ShownImport): string {
  if (problem !== null) return problem
  if (answer === null) return 'Sending'
  switch (answer.state) {
    case 'running':
      return `Reading, ${countOf(answer.imported + answer.updated)}`
    case 'cancelled':
      return `Cancelled; ${countOf(answer.imported + answer.updated)} stay`
    case 'failed':
      return answer.problem ?? 'The import failed'
    case 'finished':
      return reportWords(answer)
  }
}

/** What was left out, by reason, most first. */
export function skippedWords({ skippedCounts }: ImportAnswer): readonly string[] {
  return Object.entries(skippedCounts)
    .filter(([reason]) => reason !== 'already-imported')
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${count} × ${reason.replaceAll('-', ' ')}`)
}

function reportWords({ imported, updated, alreadyThere, unchanged }: ImportAnswer): string {
  const parts = [
    imported > 0 ? `${countOf(imported)} imported` : null,
    updated > 0 ? `${updated} brought up to date` : null,
    alreadyThere > 0 ? `${alreadyThere} already here` : null,
    unchanged > 0 ? `${unchanged} left as they are` : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'No conversation in it' : parts.join(', ')
}

function countOf(count: number): string {
  return count === 1 ? '1 conversation' : `${count} conversations`
}
