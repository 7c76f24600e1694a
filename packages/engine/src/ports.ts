import type { Clock, EntryStore, Ids, Random } from '@holdfast/conversation'
import type { ModelPort } from '@holdfast/provider'
import type { LiveBus } from './live-bus.ts'

/** All that the engine knows of the world. The simulation gives it another. */
export interface EnginePorts {
  readonly store: EntryStore
  readonly bus: LiveBus
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  /** Hash of a text, SHA-256 in lower-case hexadecimal. */
  readonly sha256: (text: string) => string
  /** The models that there are; the first one is used where none is chosen. */
  readonly models: readonly ModelChoice[]
  /** Names this process among those that share the store; another one after every restart. */
  readonly holder: string
}

/** A model and the way to it. */
export interface ModelChoice {
  readonly modelId: string
  readonly port: ModelPort
  /** What the ledger says a request costs: demo and local models are free, of others nothing is known. [COST3] */
  readonly price: 'demo' | 'local' | 'unknown'
}

/** How long the engine waits, in milliseconds, and how much it holds. Defaults of the specification. */
export const LIMITS = {
  /** A lease that is not renewed for so long may be taken over. */
  leaseTtlMs: 10_000,
  /** How long a closed source may take to end. [STOP3] */
  drainMs: 5_000,
  /** Streamed output is durable at the latest after so long. [RUN3] */
  draftTickMs: 100,
  /** … or when so much has gathered: as much again may be on its way to the disk. [RUN3] */
  draftSizeBytes: 2_048,
  /** A waiting input that somebody began to edit is sent after so long at the latest. [STOP9] */
  inputLockMs: 120_000,
  /** A second stop cuts the drain only after the first has had so long. [STOP10] */
  forceAfterMs: 1_500,
  /** Entries after which an open conversation's snapshot is written again. */
  snapshotEvery: 300,
} as const
