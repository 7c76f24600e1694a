import type { ToolOutcome } from '@holdfast/conversation'
import type { Tool } from '@holdfast/tool'

/** One thing that a tool, a command, a server or the model's own wish does wrong, and what must become of it. */
export interface FaultCase {
  readonly name: string
  /** Opens what the case needs; it is closed when its conversation is quiet again. */
  readonly open: (place: CasePlace) => Promise<OpenedTools> | OpenedTools
  /** What the model wishes for, in one step. */
  readonly calls: readonly FaultCall[]
  /** A person stops the run when every call has begun. */
  readonly stopped?: true
  /** Results that come after the end: they are shown and not used. [TOOL4] */
  readonly lateCount?: number
}

/** One wish of the model. */
export interface FaultCall {
  readonly tool: string
  /** As the model writes it. */
  readonly inputText: string
  readonly outcome: ToolOutcome
  /** What the model reads of it. */
  readonly says: RegExp
  /** Whether the tool is begun at all. */
  readonly begins: boolean
}

/** What a case has for itself. */
export interface CasePlace {
  /** An empty folder. */
  readonly folder: string
  /** Resolves when the run has ended: for tools that come too late. */
  readonly afterTheEnd: Promise<void>
}

/** The tools of a case as they are now. */
export interface OpenedTools {
  readonly tools: () => readonly Tool[]
  /** Resolves when they are as a next call needs them: a server is there again. */
  readonly untilReady?: () => Promise<void>
  readonly close: () => Promise<void>
}
