import { type EntryOf, type Projection, THINKING_OFF } from '@holdfast/conversation'
import { isAnswering } from './sent-steps.ts'
import { WINDOW_LEARNT } from './window-learnt.ts'

/** The window of a model as a conversation has learnt it. */
export type LearntWindow = NonNullable<EntryOf<'notice-raised'>['window']>

/** What a conversation has found out about one model. */
export interface ModelFinding {
  /** Its provider refused to let it think as it was asked to. [RUN13] */
  readonly thinkingRefused: boolean
  /** Null where nothing was learnt. */
  readonly learnt: LearntWindow | null
  /** The window by which its last request was made; null where it was not known, or none was made. */
  readonly usedWindow: { readonly tokens: number | null } | null
}

/** By `provider/model`. */
export type ModelFindings = Readonly<Record<string, ModelFinding>>

/** A model as entries name it. */
export interface NamedModel {
  readonly providerId: string
  readonly modelId: string
}

const NOTHING: ModelFinding = { thinkingRefused: false, learnt: null, usedWindow: null }

/** What is known of models only because one of their requests was refused: it outlasts the run that found it. [RUN13, WIN8] */
export const modelFindings: Projection<ModelFindings> = {
  name: 'model-findings',
  version: 1,
  initial: {},
  reduce(state, entries) {
    const findings = new Map(Object.entries(state))
    let changed = false
    const find = (model: NamedModel, found: Partial<ModelFinding>): void => {
      findings.set(nameOf(model), { ...findingOf(findings.get(nameOf(model))), ...found })
      changed = true
    }
    for (const entry of entries) {
      switch (entry.type) {
        case 'notice-raised':
          if (entry.model === undefined) break
          if (entry.code === THINKING_OFF) find(entry.model, { thinkingRefused: true })
          if (entry.code === WINDOW_LEARNT && entry.window) find(entry.model, { learnt: entry.window })
          break
        case 'settings-changed':
        case 'agent-switched':
          if (entry.type === 'settings-changed' && !Object.hasOwn(entry.changes, 'parameters')) break
          // Who sets anew how models think has them asked anew.
          for (const [name, finding] of findings) findings.set(name, { ...finding, thinkingRefused: false })
          changed = true
          break
        case 'step-started':
          if (!isAnswering(entry.purpose) || entry.windowTokens === undefined) break
          find(entry, { usedWindow: { tokens: entry.windowTokens } })
          break
        default:
          break
      }
    }
    return changed ? Object.fromEntries(findings) : state
  },
}

/** What is known of one model. */
export function findingFor(findings: ModelFindings, model: NamedModel): ModelFinding {
  return findingOf(findings[nameOf(model)])
}

/**
 * The window that counts: what was learnt, for as long as the rest says of the model what it said then; else what the
 * rest says. So a window that somebody sets holds at once. [WIN8]
 *
 * @param toldTokens - the window as settings, the provider or the catalog have it; null where nobody knows.
 */
export function windowThatCounts({ learnt }: ModelFinding, toldTokens: number | null): number | null {
  return learnt?.insteadOfTokens === toldTokens ? learnt.windowTokens : toldTokens
}

/** Whether this is another window than that of the last request to the model, so that excerpts of messages change. [REQ5] */
export function hasOtherWindow({ usedWindow, learnt }: ModelFinding, windowTokens: number | null): boolean {
  const before = learnt === null ? usedWindow : { tokens: learnt.windowTokens }
  return before !== null && before.tokens !== windowTokens
}

function findingOf(known: ModelFinding | undefined): ModelFinding {
  return known ?? NOTHING
}

function nameOf({ providerId, modelId }: NamedModel): string {
  return `${providerId}/${modelId}`
}
