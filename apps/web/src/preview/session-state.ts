import type { ConsoleLine, OutlineElement, PreviewErrorRow, PreviewTold } from '@holdfast/protocol'

/** What is known of a shown preview. All of it was told by a stranger's page. */
export interface SessionState {
  /** Whether a document of the preview has said that it is there. */
  readonly isHeard: boolean
  readonly place: Omit<Extract<PreviewTold, { type: 'place' }>, 'type' | 'isLoaded'> | null
  readonly errors: readonly PreviewErrorRow[]
  readonly console: readonly ConsoleLine[]
  readonly consoleCounts: { readonly error: number; readonly warn: number; readonly all: number }
  /** The lines by which the dev server changes the page: how many are open, and were ever. */
  readonly hmr: { readonly openCount: number; readonly openedCount: number } | null
  readonly isPicking: boolean
  readonly pointed: { readonly label: string; readonly path: readonly string[] } | null
  readonly outline: readonly OutlineElement[] | null
  /** Selectors that no element has now. */
  readonly missing: readonly string[]
  /** How often something that is not our script said that it is. */
  readonly forgedCount: number
}

/** Before anything is heard. */
export const NOTHING: SessionState = {
  isHeard: false,
  place: null,
  errors: [],
  console: [],
  consoleCounts: { error: 0, warn: 0, all: 0 },
  hmr: null,
  isPicking: false,
  pointed: null,
  outline: null,
  missing: [],
  forgedCount: 0,
}

const MOST_LINES = 200

/** What is known after something was said that changes nothing but that. */
export function withTold(state: SessionState, told: PreviewTold): SessionState {
  switch (told.type) {
    case 'place': {
      const { type: _type, isLoaded: _isLoaded, ...place } = told
      return { ...state, place }
    }
    case 'console':
      return withLines(state, told)
    case 'hmr':
      return { ...state, hmr: { openCount: told.openCount, openedCount: told.openedCount } }
    case 'pointed':
      return { ...state, pointed: { label: told.label, path: told.path } }
    case 'pick-ended':
      return { ...state, isPicking: false, pointed: null }
    case 'outline':
      return { ...state, outline: told.nodes }
    case 'flashed': {
      const others = state.missing.filter((one) => one !== told.selector)
      return { ...state, missing: told.found ? others : [...others, told.selector].slice(-MOST_LINES) }
    }
    case 'errors':
    case 'picked':
      return state
  }
}

function withLines(
  state: SessionState,
  { lines, droppedCount }: Extract<PreviewTold, { type: 'console' }>,
): SessionState {
  const { error, warn, all } = state.consoleCounts
  const sum = (level: ConsoleLine['level'] | null) =>
    lines.reduce((total, line) => total + (level === null || line.level === level ? line.count : 0), 0)
  return {
    ...state,
    console: [...state.console, ...lines].slice(-MOST_LINES),
    consoleCounts: { error: error + sum('error'), warn: warn + sum('warn'), all: all + sum(null) + droppedCount },
  }
}
