import type { TokenEstimator } from '@holdfast/context'
import type {
  ChangeTarget,
  Clock,
  ConversationSettings,
  EntryStore,
  Ids,
  Random,
  Records,
  Settings,
} from '@holdfast/conversation'
import type { ModelFacts, ModelPort } from '@holdfast/provider'
import type {
  ChangeDecision,
  ChangeMark,
  FileChange,
  PermissionDecision,
  PermissionPolicy,
  RejectedChange,
  ReviewedFile,
  ReviewMarks,
  Tool,
  ToolCall,
} from '@holdfast/tool'
import type { AgentSource } from './agent-source.ts'
import type { Beats } from './beats.ts'
import type { FactSource } from './fact-source.ts'
import type { FileConflict } from './files-engine.ts'
import type { LiveBus } from './live-bus.ts'
import type { PresetSource } from './preset-source.ts'
import type { People, UserBudgets } from './user-budgets.ts'

/** All that the engine knows of the world. The simulation gives it another. */
export interface EnginePorts {
  readonly store: EntryStore
  /**
   * Rules that hold for all conversations of a person are kept there, for all processes on the store; null where nothing
   * of the kind is offered. They are read before each judgement: an implementer must not answer from a copy of its own,
   * else a rule that was taken back in another process still lets calls run.
   */
  readonly records: Records | null
  /**
   * Told of what is durable, and of deltas as they come. An implementer must neither throw nor wait: the work of a run
   * would end by it or stand still. What it loses is read again from the store.
   */
  readonly bus: LiveBus
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  /**
   * Hash of a text, SHA-256 in lower-case hexadecimal. It is written into receipts and compared by every later process:
   * one that gives another form makes past requests look as if they had been changed. [REQ1]
   */
  readonly sha256: (text: string) => string
  /** The hashes of `text` and of `text` with `more` behind it, in the form of `sha256`, and equal to what that gives. [REQ1] */
  readonly sha256Both: (texts: { readonly text: string; readonly more: string }) => {
    readonly ofText: string
    readonly ofAll: string
  }
  /**
   * The models that there are now; the first one is used where none is chosen. It is asked anew for each request, and
   * may change between two of one run: the request that is under way keeps the one that it began with.
   */
  readonly models: () => readonly ModelChoice[]
  /**
   * The tools of a conversation as they are now, in a stable order. Asked before every step and every call, so that
   * a server that came or went counts from the next one on. What a definition says is read once: an implementer gives
   * another object for one that changes, else requests go on with what it said first. [TOOL16]
   */
  readonly toolsOf: (conversation: ToolsQuery) => readonly Tool[]
  /**
   * What sources of tools say about their use, in a stable order; absent where none says anything. It is sent as data
   * of strangers while a tool of the source is. [REQ7]
   */
  readonly instructionsOf?: (conversation: ToolsQuery) => readonly SourceInstructions[]
  /** What the operator says, for all conversations. A conversation may have a mode and a workspace of its own. [PERM1] */
  readonly permissions: PermissionPolicy
  /**
   * The folder that a conversation may use, as a real absolute path; null for none, also where the folder that its settings
   * name is not one that its owner may use. Absent: the folder of `permissions`, for all. [WS1, WS7]
   */
  readonly workspaceOf?: (query: PlaceQuery) => string | null
  /** The agents that people may choose; absent where there is only the one that sets nothing. [AGENT4] */
  readonly agents?: AgentSource
  /** The presets that people may begin with; absent where there are none. [WS33] */
  readonly presets?: PresetSource
  /** Which files hold what strangers wrote; absent where no tool reads any. */
  readonly strangersFiles?: StrangersFiles
  /**
   * What calls changed during which another process was killed, with its bodies in the store for the owner. An implementer
   * says what it found, and nothing where nothing was kept; absent where no tool changes files. [WS1, RUN4]
   */
  readonly changesLeftBy?: (calls: CallsLeft) => Promise<readonly FileChange[]>
  /** Shows and takes back changes of files; absent where no tool changes any. */
  readonly changeReviewer?: ChangeReviewer
  /** What changes by itself and the model is to know, in the order in which it is told; absent for nothing. [REQ6] */
  readonly facts?: readonly FactSource[]
  /** What people may spend over all their conversations; absent where nobody has such a budget. [COST7] */
  readonly userBudgets?: UserBudgets
  /** Absent where nobody has an account. [SCALE34] */
  readonly people?: People
  /** The settings of the installation as they are now, asked before each decision; absent for the usual ones. [WIN10] */
  readonly settings?: () => Settings
  /** Says what a token weighs before anything is measured; absent for an estimate by families of models. [COST5] */
  readonly estimator?: TokenEstimator
  /** Whether conversations get a title by themselves after their first answer, where the settings say so too. */
  readonly autoTitles?: true
  /**
   * Told of requests for permission once they are in the log, for who answers them in this process. An implementer must
   * not throw: the run would end by it. It answers by a command, later, and may lose what it was told: the log has it. [PERM3]
   */
  readonly onAsked?: (asked: AskedCall) => void
  /**
   * Told that the window of a model turned out to be less than what was known of it, once that is in a log. An implementer
   * says it of the model from then on, also to other conversations; one that does not lets each find out by itself. [WIN8]
   */
  readonly onWindowLearnt?: (learnt: LearntModelWindow) => void
  /** Names this process among those that share the store; another one after every restart. */
  readonly holder: string
  /**
   * No other process writes into the store while this one has it, as in a data folder with a lock: what was read of a log
   * stays read. What writes beside the engine in this process says so to `Engine.forgetLog`. Absent where there may be
   * others. [RUN20]
   */
  readonly isAlone?: true
  /**
   * Where this process is one of several replicas that beat: leases of its `holder` hold by its beats, and none is renewed. An
   * implementer beats before the engine is used; without beats the leases would only hold for their own time. Absent where
   * each lease is renewed. [SCALE1]
   */
  readonly beats?: Beats
}

/** What the agents of all conversations work with, as the engine asks for it; `@holdfast/workbench` makes it. */
export type WorkbenchPorts = Required<
  Pick<
    EnginePorts,
    'toolsOf' | 'workspaceOf' | 'instructionsOf' | 'strangersFiles' | 'changesLeftBy' | 'changeReviewer' | 'facts'
  >
>

/** Calls that had begun when their process was killed. */
export interface CallsLeft {
  readonly conversationId: string
  readonly ownerId: string
  readonly settings: ConversationSettings
  readonly callIds: readonly string[]
}

/** Knows which files hold what strangers wrote. [PERM7] */
export interface StrangersFiles {
  /**
   * Told what a call changed, before the log names it. An implementer keeps it for all conversations that use the
   * folder; one that loses it lets their words pass for the person's own.
   */
  note(written: WrittenFiles): Promise<void>
}

/** Files in which words of strangers may stand. */
export interface WrittenFiles {
  readonly conversationId: string
  readonly ownerId: string
  readonly settings: ConversationSettings
  readonly changes: readonly FileChange[]
  /**
   * `brought`: by a call that may bring such words. `written`: in a conversation that had read some. `own`: in one that
   * had not.
   */
  readonly how: 'brought' | 'written' | 'own'
  /** The tool, for people. */
  readonly by: string
}

/** Whose folder is asked for. */
export interface PlaceQuery {
  readonly ownerId: string
  readonly settings: ConversationSettings
}

/** A change as a log names it. */
export interface LoggedChange {
  /** Whose log names its bodies. */
  readonly conversationId: string
  /** As they were when it was made: they say which folder its path is in. */
  readonly settings: ConversationSettings
  readonly change: FileChange
}

/** Changes that are to be undone, oldest first. */
export interface ReviewQuery {
  /** Whose folder the files are in now. */
  readonly conversationId: string
  readonly ownerId: string
  readonly settings: ConversationSettings
  readonly target: ChangeTarget
  readonly changes: readonly LoggedChange[]
  readonly marks: ReviewMarks
  readonly signal: AbortSignal
}

/** Whether what changed while a call ran, and no tool told, is taken back as well. [TOOL15] */
export type Meanwhile = 'leave' | 'restore'

/**
 * Shows changes of files and takes them back. An implementer overwrites nothing but what the changes left, and leaves alone
 * what was changed in another folder than that of now. Both answer null where the target is a base and there is none. [WS1, WS9]
 */
export interface ChangeReviewer {
  /** Says what stands there and what became of it, and does nothing. */
  read(query: ReviewQuery): Promise<{ readonly base: string | null; readonly files: readonly ReviewedFile[] } | null>
  /** @returns what was really changed, with its bodies in the store for the owner, what was decided, and what was left alone. */
  decide(
    query: ReviewQuery & {
      readonly commandId: string
      readonly decisions: readonly ChangeDecision[]
      readonly meanwhile: Meanwhile
      /** Awaited when it is known what will be rejected, before any file is written. */
      readonly onPlanned: (rejected: readonly RejectedChange[]) => Promise<void>
    },
  ): Promise<{
    readonly changes: readonly FileChange[]
    readonly marks: readonly ChangeMark[]
    readonly rejected: readonly RejectedChange[]
    readonly conflicts: readonly FileConflict[]
  } | null>
}

/** What a refusal said of a model. */
export interface LearntModelWindow {
  readonly modelId: string
  readonly windowTokens: number
  /** Whether its provider named it; else it is half of what was refused. */
  readonly isNamed: boolean
}

/** A call that a person is asked about. */
export interface AskedCall {
  readonly conversationId: string
  readonly requestId: string
  /** Who may answer. */
  readonly userId: string
  readonly call: ToolCall
  readonly decision: PermissionDecision
}

/** What a source of tools, such as a server, says about their use. */
export interface SourceInstructions {
  readonly source: string
  readonly text: string
}

/** Whose tools. */
export interface ToolsQuery {
  readonly conversationId: string
  readonly ownerId: string
  /** How many sub-agents stand above the conversation. */
  readonly depth: number
  readonly settings: ConversationSettings
}

/** A model, the way to it, and what is known of it. */
export interface ModelChoice {
  /** Names it among all models of the installation. */
  readonly modelId: string
  /** What its provider calls it. */
  readonly providerModelId: string
  /** For people. */
  readonly name: string
  readonly port: ModelPort
  /** Window, prices, capabilities; what is not known is null. [COST3] */
  readonly facts: ModelFacts
}

/** How long the engine waits, in milliseconds, and how much it holds, where its rules say so: nobody sets these. */
export const LIMITS = {
  /** A lease that is not renewed for so long may be taken over. */
  leaseTtlMs: 10_000,
  /** The log of a run is looked at so often, for what other replicas wrote and the doorbell lost. [STOP2] */
  pollMs: 500,
  /** Where the bus tells what others write, so seldom. It is a multiple of the other. [STOP2] */
  seldomPollMs: 5_000,
  /** Streamed output is durable at the latest after so long. [RUN3] */
  draftTickMs: 100,
  /** It is durable at once when so much has gathered: as much again may be on its way to the disk. [RUN3] */
  draftSizeBytes: 2_048,
  /** A waiting input that somebody began to edit is sent after so long at the latest. [STOP9] */
  inputLockMs: 120_000,
  /** A second stop cuts the drain only after the first has had so long. [STOP10] */
  forceAfterMs: 1_500,
  /** So long a reset can be undone. [LOG12] */
  undoResetMs: 8_000,
  /** Entries after which an open conversation's snapshot is written again. */
  snapshotEvery: 300,
} as const
