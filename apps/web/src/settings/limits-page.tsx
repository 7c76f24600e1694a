import type { AccountApi, Client } from '@holdfast/client'
import { isSettingKey, type Json, type SettingKey } from '@holdfast/conversation'
import type { SettingRow } from '@holdfast/protocol'
import { useState } from 'react'
import { isUser } from '../account/is-administrator.ts'
import { SettingField } from '../limits/setting-field.tsx'
import { valueWords } from '../limits/setting-value.ts'
import { SECTION_WORDS, SETTING_WORDS } from '../limits/setting-words.ts'
import { answerOf, useAsked } from '../shared/ask-server.ts'
import { fuzzyScore } from '../shared/fuzzy.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { SearchField } from '../shared/search-field.tsx'

/** The settings of the installation by section, with a search over their names and reasons. */
export function LimitsPage({ client, account }: { readonly client: Client; readonly account: AccountApi }) {
  const [{ value: me }] = useAsked(account.readMe)
  if (isUser(me)) return <p>{say('administration.only-administrators')}</p>
  return <Limits client={client} isKnown={me !== null} />
}

/** Nothing is asked until it is known that it would be answered. */
function Limits({ client, isKnown }: { readonly client: Client; readonly isKnown: boolean }) {
  const [asked, askAgain] = useAsked(isKnown ? client.listSettings : null)
  const [words, setWords] = useState('')
  const [refused, setRefused] = useState<{ readonly key: SettingKey; readonly problem: string } | null>(null)
  const rows = (asked.value ?? []).flatMap((row) => (isSettingKey(row.key) ? [{ key: row.key, row }] : []))
  const shown = rows.filter(({ key }) => matches(key, words))

  async function set(key: SettingKey, value: Json): Promise<void> {
    const { problem } = await answerOf(client.changeInstallation({ [key]: value }))
    setRefused(problem === null ? null : { key, problem })
    askAgain()
  }

  return (
    <section aria-label={say('limits.page')}>
      <p className="settings-lead">{say('limits.lead')}</p>
      <SearchField label={say('limits.search')} placeholder={say('limits.search')} words={words} onWords={setWords} />
      {asked.type === 'asking' && <p className="meta">{say('limits.reading')}</p>}
      {asked.type === 'failed' && (
        <p className="problem" role="alert">
          {say('limits.not-read', { problem: asked.problem })}{' '}
          <button type="button" className="link-button" onClick={askAgain}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      {rows.length > 0 && shown.length === 0 && (
        <p className="meta">{say('limits.none-found', { words: words.trim() })}</p>
      )}
      {SECTIONS.map(({ section, name }) => {
        const inside = shown.filter(({ row }) => row.section === section)
        return inside.length === 0 ? null : (
          <section key={section} aria-labelledby={`limits-${section}`}>
            <h2 id={`limits-${section}`}>{say(name)}</h2>
            {inside.map(({ key, row }) => (
              <LimitRow
                key={key}
                settingKey={key}
                row={row}
                problem={refused?.key === key ? refused.problem : null}
                onSet={(value) => void set(key, value)}
              />
            ))}
          </section>
        )
      })}
    </section>
  )
}

const SECTIONS: readonly { readonly section: string; readonly name: PlainKey }[] = Object.entries(SECTION_WORDS).map(
  ([section, name]) => ({ section, name }),
)

function matches(key: SettingKey, words: string): boolean {
  const { name, why } = SETTING_WORDS[key]
  const said = [say(name), say(why), key].join(' ').toLowerCase()
  const wanted = words.trim().toLowerCase()
  return (
    wanted === '' || wanted.split(/\s+/).every((word) => said.includes(word)) || fuzzyScore(say(name), wanted) !== null
  )
}

interface LimitRowProps {
  readonly settingKey: SettingKey
  readonly row: SettingRow
  readonly problem: string | null
  readonly onSet: (value: Json) => void
}

/** One setting: what it is, why one would change it, whether it is as usual, from where it is, and where it is changed. */
function LimitRow({ settingKey, row, problem, onSet }: LimitRowProps) {
  const { name, why } = SETTING_WORDS[settingKey]
  const id = `limit-${settingKey}`
  const isFixed = row.source === 'file' || row.source === 'environment'
  return (
    <div className="setting-row" data-testid="limit" data-state={row.source}>
      <div>
        <label htmlFor={id}>{say(name)}</label>
        {row.source !== 'default' && (
          <span className="meta">
            {' '}
            {say('settings.changed')} · {say('limits.usual', { value: valueWords(settingKey, row.usual) })}
          </span>
        )}
        <p className="meta" id={`${id}-why`}>
          {say(why)} {isFixed && say(row.source === 'file' ? 'limits.of-file' : 'limits.set-by-settings')}
        </p>
        {problem !== null && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <span className="limit-acts">
        <SettingField
          settingKey={settingKey}
          id={id}
          value={row.value}
          below={valueWords(settingKey, row.usual)}
          isFixed={isFixed}
          isOwn={false}
          onSet={onSet}
        />
        {row.source === 'stored' && (
          <button
            type="button"
            className="link-button"
            aria-label={say('limits.reset-name', { name: say(name) })}
            onClick={() => onSet(null)}
          >
            {say('limits.reset')}
          </button>
        )}
      </span>
    </div>
  )
}
