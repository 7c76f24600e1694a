import { later } from '../shared/later.tsx'

/** What is heard in a conversation, and the microphone in its message field. */
export const VoiceControls = later(async () => (await import('../voice/voice-controls.tsx')).VoiceControls)
