import type { AccountApi, Client } from '@holdfast/client'
import { useState } from 'react'
import { isAdministrator, isUser } from '../account/is-administrator.ts'
import { navigate, pathOf, SETTINGS_SECTIONS, type SettingsSection } from '../shared/address.ts'
import { useAsked } from '../shared/ask-server.ts'
import { fuzzyScore } from '../shared/fuzzy.ts'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { SearchField } from '../shared/search-field.tsx'
import { SettingsSectionView } from './settings-section-view.tsx'

interface SettingsProps {
  readonly client: Client
  readonly account: AccountApi
  readonly section: SettingsSection
  readonly onBack: () => void
}

/** The pages of the settings, beside the list of them. What only administrators may see is listed for them alone. [UI57, UI124] */
export function SettingsNav({ account, section, onBack }: Omit<SettingsProps, 'client'>) {
  const [words, setWords] = useState('')
  const [{ value: me }] = useAsked(account.readMe)
  const offered = SETTINGS_SECTIONS.filter(({ section: one }) => {
    if (one === 'administration') return isAdministrator(me)
    return one !== 'limits' || !isUser(me)
  })
  const shown = offered.filter(({ name, also }) => fuzzyScore([say(name), say(also)].join(' '), words) !== null)
  return (
    <nav className="sidebar" data-region="settings-list" aria-label={say('common.settings')}>
      <div className="bar">
        <button
          type="button"
          className="icon-button"
          aria-label={say('settings.back-to-the-conversation')}
          onClick={onBack}
        >
          <Icon name="left" />
        </button>
        <span className="brand">{say('common.settings')}</span>
      </div>
      <SearchField
        label={say('settings.search-settings')}
        placeholder={say('settings.search-settings')}
        words={words}
        onWords={setWords}
      />
      <ul className="settings-list">
        {shown.map((row) => (
          <li key={row.section}>
            <a
              className="conversation-row settings-row"
              href={pathOf({ type: 'settings', section: row.section })}
              aria-current={row.section === section ? 'page' : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                navigate({ type: 'settings', section: row.section }, 'replace')
              }}
            >
              {say(row.name)}
            </a>
          </li>
        ))}
        {shown.length === 0 && (
          <li className="meta">{say('settings.no-setting-is-called', { words: words.trim() })}</li>
        )}
      </ul>
    </nav>
  )
}

/** One page of the settings. */
export function SettingsPage({ client, account, section }: Omit<SettingsProps, 'onBack'>) {
  return (
    <div
      id="settings-page"
      className="settings-page"
      data-testid="settings"
      data-state={section}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard
      tabIndex={0}
    >
      <div className="settings-column">
        <SettingsSectionView client={client} account={account} section={section} />
      </div>
    </div>
  )
}
