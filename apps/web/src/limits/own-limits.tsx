import { type ConversationSettings, type Json, SETTING_KEYS, SETTINGS, setIn } from '@holdfast/conversation'
import { useId } from 'react'
import { say } from '../shared/language/say.ts'
import { SettingField } from './setting-field.tsx'
import { SETTING_WORDS } from './setting-words.ts'

/** The settings that an agent and a conversation may set for themselves. */
const OWN_KEYS = SETTING_KEYS.filter((key) => SETTINGS[key].places.some((place) => place === 'conversation'))

interface OwnLimitsProps {
  readonly title: string
  readonly lead: string
  /** What is set; what is absent follows what stands below. */
  readonly settings: ConversationSettings
  readonly onSet: (key: string, value: Json) => void
}

/** What stands above the installation's settings: folded, for most set none. */
export function OwnLimits({ title, lead, settings, onSet }: OwnLimitsProps) {
  const id = useId()
  const set = setIn(settings)
  const count = Object.keys(set).length
  return (
    <details className="own-limits" data-testid="own-limits">
      <summary>
        {title}
        {count > 0 && <span className="meta"> {count}</span>}
      </summary>
      <p className="meta">{lead}</p>
      {OWN_KEYS.map((key) => (
        <div key={key} className="own-limit">
          <div>
            <label htmlFor={`${id}-${key}`}>{say(SETTING_WORDS[key].name)}</label>
            <p className="meta" id={`${id}-${key}-why`}>
              {say(SETTING_WORDS[key].why)}
            </p>
          </div>
          <SettingField
            settingKey={key}
            id={`${id}-${key}`}
            value={set[key] ?? null}
            below={say('limits.not-set-here')}
            isFixed={false}
            isOwn={true}
            onSet={(value) => onSet(key, value)}
          />
        </div>
      ))}
    </details>
  )
}
