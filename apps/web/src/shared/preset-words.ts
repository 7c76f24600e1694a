import type { PresetRow } from '@holdfast/protocol'
import { type PlainKey, say } from './language/say.ts'

const COME_ALONG: Readonly<Record<string, { readonly name: PlainKey; readonly says: PlainKey }>> = {
  code: { name: 'presets.code', says: 'presets.code-says' },
  'code-lite': { name: 'presets.code-small', says: 'presets.code-small-says' },
  vibe: { name: 'presets.vibe', says: 'presets.vibe-says' },
}

/** What a preset is called and for: in the language of the page where it is as it came along. */
export function presetWords(row: PresetRow): { readonly name: string; readonly says: string } {
  const known = row.origin === 'built-in' ? COME_ALONG[row.id] : undefined
  return known === undefined ? row : { name: say(known.name), says: say(known.says) }
}
