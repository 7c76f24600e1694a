import type { PresetSettings } from '@holdfast/conversation'

/** The presets that conversations begin with. */
export interface PresetSource {
  /** A preset as it is now. An implementer gives null for one that is not there or not this person's. [SEC1] */
  find(asked: { readonly ownerId: string; readonly presetId: string }): Promise<OfferedPreset | null>
}

/** A preset that a person may choose. [WS33] */
export interface OfferedPreset {
  readonly presetId: string
  readonly name: string
  readonly settings: PresetSettings
}
