import type * as z from 'zod'

/** Where a setting can be set. A conversation stands above its agent, and an agent above the installation. */
export type SettingPlace = 'installation' | 'agent' | 'conversation'

/** What a value counts. A share is a part of one; `choice` is a word of a list, or a number where the words allow one. */
export type SettingUnit = 'tokens' | 'milliseconds' | 'characters' | 'bytes' | 'count' | 'share' | 'switch' | 'choice'

/** What stands together in a list of settings. */
export type SettingSection = 'model' | 'context' | 'run' | 'tools' | 'canvas' | 'memories' | 'titles'

/** One setting: what it may be, what it is where nobody says anything, and who may say something. */
export interface Setting<Value> {
  readonly section: SettingSection
  /** For people. */
  readonly name: string
  /** One sentence: what it is, and why one would change it. */
  readonly says: string
  readonly unit: SettingUnit
  /** What a value that is set must be, alone; what must fit together says `settingProblems`. */
  readonly schema: z.ZodType<NonNullable<Value>>
  /** The value where nothing is set, null for none. Nothing else in the program repeats it. [DEFAULTS] */
  readonly usual: Value
  /** Bounds of a number; absent where it is none. */
  readonly least?: number
  readonly most?: number
  /** The words that it may be, where it is a choice. */
  readonly choices?: readonly string[]
  /** Agents and conversations are set by whoever may change them; the installation by its operator and by admins. */
  readonly places: readonly SettingPlace[]
}
