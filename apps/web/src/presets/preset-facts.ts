import { type PresetSettings, setIn } from '@holdfast/conversation'
import { PERMISSION_MODES } from '../agents/agent-choices.ts'
import { valueWords } from '../limits/setting-value.ts'
import { SETTING_WORDS } from '../limits/setting-words.ts'
import { say } from '../shared/language/say.ts'

const PLACES = {
  'in-place': 'presets.works-in-place',
  worktree: 'presets.works-in-a-worktree',
  ask: 'presets.works-where-asked',
} as const

/** What a preset sets, each in words. [UI87] */
export function presetFacts(settings: PresetSettings): readonly string[] {
  const { permissionMode, place, toolMode, includedTools, instructions, modelId } = settings
  const mode = PERMISSION_MODES.find(({ value }) => value === permissionMode)
  const own = setIn(settings)
  return [
    ...(place === undefined ? [] : [say(PLACES[place])]),
    ...(modelId === undefined ? [] : [modelId]),
    ...(mode === undefined ? [] : [say(mode.name)]),
    ...Object.keys(SETTING_WORDS).flatMap((key) => {
      if (!isOwn(key, own)) return []
      const value = own[key]
      return value === undefined
        ? []
        : [say('presets.sets', { name: say(SETTING_WORDS[key].name), value: valueWords(key, value) })]
    }),
    ...(toolMode === 'manual' ? [say('presets.tools', { count: String(includedTools?.length ?? 0) })] : []),
    ...(instructions === undefined ? [] : [say('presets.own-instructions')]),
  ]
}

/** Whether a preset lets run what a sandbox confines, and there is none. [WS36] */
export function lacksSandbox(settings: PresetSettings, hasSandbox: boolean | null): boolean {
  return settings.permissionMode === 'sandboxed' && hasSandbox === false
}

function isOwn<Own extends object>(key: string, own: Own): key is string & keyof Own & keyof typeof SETTING_WORDS {
  return key in own
}
