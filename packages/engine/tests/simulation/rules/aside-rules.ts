import type { Entry, EntryOf } from '@holdfast/conversation'
import type { Violate } from './violation.ts'

interface WatchedAside {
  readonly purpose: 'checkpoint' | 'title' | 'turn'
  /** What the model said last in it, where it was asked for a summary or a title. */
  words: string
  hasMade: boolean
}

/** The summaries and titles of one log. */
export interface AsideRules {
  take(entry: Entry): void
}

/** Checks that a summary is what its model said, of whole exchanges, and that a person's title stays. */
export function createAsideRules(violate: Violate): AsideRules {
  const asides = new Map<string, WatchedAside>()
  /** Entries at which a turn was open. */
  const inTurn: boolean[] = [false]
  const summaries: { readonly seq: number; readonly range: string }[] = []
  let openTurn: string | null = null
  let hasOwnTitle = false

  function checkpointMade(entry: EntryOf<'checkpoint-made'>): void {
    const { seq, source, runId, summary, coversFromSeq, coversToSeq, keptFromSeq } = entry
    const range = `${coversFromSeq} to ${coversToSeq}, kept from ${keptFromSeq}`
    if (coversFromSeq > coversToSeq || keptFromSeq <= coversToSeq || keptFromSeq > seq)
      violate('CHK1', `The summary at ${seq} covers ${range}`)
    // Inside a turn room is made between two of its steps. [CHK9]
    if (source === 'person' && inTurn[coversToSeq])
      violate('CHK1', `The summary at ${seq} covers a part of an exchange: ${range}`)
    if (source === 'edit') {
      const edited = summaries.findLast((known) => known.range === range)
      if (!edited) violate('CHK7', `The words at ${seq} are for ${range}, which nobody summarised`)
    } else {
      const aside = asides.get(runId ?? '')
      if (aside?.purpose !== (source === 'auto' ? 'turn' : 'checkpoint'))
        violate('CHK1', `The summary at ${seq} belongs to no run that makes one`)
      else if (!lettersOf(aside.words).includes(lettersOf(summary)))
        violate('CHK1', `The summary at ${seq} is not what its model said`)
      if (aside) aside.hasMade = true
    }
    summaries.push({ seq, range })
  }

  function titleChanged({ seq, source, runId }: EntryOf<'title-changed'>): void {
    if (source === 'user') {
      hasOwnTitle = true
      return
    }
    if (asides.get(runId ?? '')?.purpose !== 'title')
      violate('REQ3', `The title at ${seq} belongs to no run that makes one`)
    if (hasOwnTitle) violate('REQ3', `The title at ${seq} takes the place of the person's own`)
  }

  return {
    take(entry) {
      switch (entry.type) {
        case 'run-started':
          if (entry.purpose === 'turn') openTurn = entry.runId
          if (entry.purpose === 'checkpoint' || entry.purpose === 'title' || entry.purpose === 'turn')
            asides.set(entry.runId, { purpose: entry.purpose, words: '', hasMade: false })
          break
        case 'step-finished': {
          const aside = asides.get(entry.runId)
          if (aside && entry.purpose !== undefined)
            aside.words = entry.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
          break
        }
        case 'run-finished': {
          if (entry.runId === openTurn) openTurn = null
          const aside = asides.get(entry.runId)
          const isMade = entry.outcome === 'completed' && entry.reason === undefined
          if (aside?.purpose === 'checkpoint' && isMade && !aside.hasMade)
            violate('CHK1', `Run ${entry.runId} ended at ${entry.seq} and made no summary`)
          break
        }
        case 'checkpoint-made':
          checkpointMade(entry)
          break
        case 'checkpoint-undone':
          if (!summaries.some(({ seq }) => seq === entry.checkpointSeq))
            violate('CHK7', `The summary at ${entry.checkpointSeq} was undone at ${entry.seq}, and is none`)
          break
        case 'title-changed':
          titleChanged(entry)
          break
        default:
          break
      }
      inTurn[entry.seq] = openTurn !== null
    },
  }
}

/** Words as they compare: what stands around and between them may be trimmed. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '')
}
