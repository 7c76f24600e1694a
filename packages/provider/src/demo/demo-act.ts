import type { BlockStart, Json, ProviderErrorCode } from '@holdfast/conversation'

/** One thing that the demo model does. Text is sent in pieces at the scenario's pace. */
export type DemoAct =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  /** Calls a real tool, one that the request offers. */
  | {
      readonly type: 'call'
      readonly tool: string
      readonly input: Json
      /** Written line by line, so that what it makes can be seen growing. */
      readonly isSpelledOut?: true
    }
  | {
      readonly type: 'fail'
      readonly code: ProviderErrorCode
      readonly message: string
      readonly status: number
      /** How long the provider asks to wait, in milliseconds; null where it says nothing. */
      readonly retryAfterMs: number | null
    }
  /** The stream ends without the provider's own end. */
  | { readonly type: 'break-off' }

/** An act that opens a block. */
export type DemoBlockAct = Extract<DemoAct, { readonly type: 'text' | 'thinking' | 'call' }>

/** What became of a call that the script made. */
export interface DemoResult {
  readonly tool: string
  readonly isError: boolean
  readonly text: string
}

/** How far a scenario is, by the request alone. */
export interface DemoProgress {
  /** Answers that the scenario has given; 0 for its first request. */
  readonly step: number
  /** What its calls answered, in their order. */
  readonly results: readonly DemoResult[]
  /** What stands behind the scenario's name. */
  readonly argument: string
  /** Requests of this text that were refused just before, for scenarios that fail at first. */
  readonly refusedCount: number
}

/** What the demo model answers to one command. */
export interface DemoScenario {
  readonly name: string
  /** What it shows, for the list of scenarios. */
  readonly shows: string
  /** Tokens a second; a token is a word with the space before it. */
  readonly tokensPerSecond: number
  readonly reportsUsage: boolean
  /** The tools that it calls. */
  readonly needs: readonly string[]
  readonly acts: (progress: DemoProgress) => readonly DemoAct[]
  /** How long it goes on after it was told to stop, without a word, in milliseconds; absent: it ends at once. */
  readonly stopMs?: number
  /** Tokens that the request is said to have, where it is not what was counted. */
  readonly inputTokensOf?: (argument: string) => number
}

/** The block that an act opens. */
export function blockOf(act: DemoBlockAct, nextCallId: () => string): BlockStart {
  switch (act.type) {
    case 'text':
    case 'thinking':
      return { type: act.type }
    case 'call':
      return { type: 'tool-call', callId: nextCallId(), name: act.tool }
  }
}

/** What an act says in its block. */
export function wordsOf(act: DemoBlockAct): string {
  if (act.type !== 'call') return act.text
  return act.isSpelledOut ? JSON.stringify(act.input, null, 1) : JSON.stringify(act.input)
}

/** Words of the script. */
export function say(text: string): DemoAct {
  return { type: 'text', text }
}

/** A call of the script. */
export function call(tool: string, input: Json): DemoAct {
  return { type: 'call', tool, input }
}
