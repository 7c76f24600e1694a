import { type Settings, settingsNow, settingsOfConversation } from '@holdfast/conversation'
import type { FactSource } from '@holdfast/engine'
import type { FolderMaps } from './folder-maps.ts'

/** The most that a person may set; what is drawn keeps within the setting. */
const MOST_TOKENS = 8_000
/** What stands around the lines in a note. */
const FRAME_TOKENS = 24
/** A map of which less has changed is not worth its tokens again. [MAP1] */
const WORTH_TELLING = 0.1

/**
 * The repository map, where a setting gives it room: at the beginning of a turn, about what the person asks, and again
 * only when more than a tenth of its lines would change. What an agent changes in a turn it knows itself. [MAP1, REQ6]
 */
export function createMapFact(maps: Pick<FolderMaps, 'draw'>, settings: (() => Settings) | undefined): FactSource {
  return {
    section: 'map',
    budgetTokens: MOST_TOKENS,
    async textNow({ conversationId, state, stepCount, noted, question, tokensOf, signal }) {
      const { mapTokens } = settingsOfConversation(settingsNow(settings), state.settings)
      if (mapTokens === 0 || state.ownerId === null) return null
      if (stepCount > 0 && noted !== null) return noted.text
      const map = await maps.draw(
        {
          reader: { conversationId, ownerId: state.ownerId },
          settings: state.settings,
          focus: question,
          budgetTokens: mapTokens - FRAME_TOKENS,
          tokensOf,
          page: 1,
        },
        signal,
      )
      if (map === null) return noted?.text ?? null
      if (noted !== null && changedShare(noted.text, map.text) <= WORTH_TELLING) return noted.text
      return map.text === '' ? null : map.text
    },
  }
}

/** The part of the lines that came, or that went, whichever is more; from 0 to 1. */
export function changedShare(before: string, after: string): number {
  const [old, now] = [new Set(before.split('\n')), new Set(after.split('\n'))]
  const came = [...now].filter((line) => !old.has(line)).length / now.size
  const went = [...old].filter((line) => !now.has(line)).length / old.size
  return Math.max(came, went)
}
