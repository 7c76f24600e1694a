import type { ImportAnswer } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'

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
  if (answer === null) return say('archive.sending')
  switch (answer.state) {
    case 'running':
      return say('archive.reading', { count: answer.imported + answer.updated })
    case 'cancelled':
      return say('archive.cancelled-after', { count: answer.imported + answer.updated })
    case 'failed':
      return answer.problem ?? say('archive.the-import-failed')
    case 'finished':
      return reportWords(answer)
  }
}

/** What was left out, by reason, most first. */
export function skippedWords({ skippedCounts }: ImportAnswer): readonly string[] {
  return Object.entries(skippedCounts)
    .filter(([reason]) => reason !== 'already-imported')
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, count]) => say('archive.skipped', { count, reason: reason.replaceAll('-', ' ') }))
}

function reportWords({ imported, updated, alreadyThere, unchanged }: ImportAnswer): string {
  const parts = [
    imported > 0 ? say('archive.imported', { count: imported }) : null,
    updated > 0 ? say('archive.updated', { count: updated }) : null,
    alreadyThere > 0 ? say('archive.already-here', { count: alreadyThere }) : null,
    unchanged > 0 ? say('archive.unchanged', { count: unchanged }) : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? say('archive.no-conversation-in-it') : parts.join(', ')
}
