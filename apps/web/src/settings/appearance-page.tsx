import { LANGUAGES, languageFor, PSEUDO_LANGUAGES } from '../shared/language/languages.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { choose, type Preferences, readPreferences, USUAL, usePreference } from '../shared/preferences/preferences.ts'
import { tell } from '../shared/toasts/toasts.ts'

const THEMES = [
  { value: 'system', name: 'settings.as-the-system' },
  { value: 'light', name: 'settings.light' },
  { value: 'dark', name: 'settings.dark' },
  { value: 'high-contrast', name: 'settings.high-contrast' },
] as const

const MOTIONS = [
  { value: 'system', name: 'settings.as-the-system' },
  { value: 'reduced', name: 'settings.reduced' },
  { value: 'full', name: 'settings.full' },
] as const

const SIZES = ['14', '15', '16', '17', '18', '19', '20'] as const

const DIRECTIONS = [
  { value: 'language', name: 'settings.as-the-language' },
  { value: 'ltr', name: 'settings.left-to-right' },
  { value: 'rtl', name: 'settings.right-to-left' },
] as const

/** How the page looks, in this browser. Everything holds at once. */
export function AppearancePage() {
  const textSizePx = usePreference('textSizePx')
  const language = usePreference('language')
  return (
    <section aria-label={say('settings.appearance')}>
      <PreferenceRow
        preference="theme"
        name={say('settings.theme')}
        why={say('settings.high-contrast-has-pure-ink')}
        choices={named(THEMES)}
      />
      <ChoiceRow
        id="setting-size"
        name={say('settings.text-size')}
        why={say('settings.of-messages-everything-else-keeps')}
        isUsual={textSizePx === USUAL.textSizePx}
        value={String(textSizePx)}
        choices={SIZES.map((value) => ({ value, name: say('settings.pixels', { size: value }) }))}
        onChoose={(value) => choose({ textSizePx: Number(value) })}
      />
      <PreferenceRow
        preference="motion"
        name={say('settings.motion')}
        why={say('settings.reduced-nothing-turns-slides-or')}
        choices={named(MOTIONS)}
      />
      <PreferenceRow
        preference="language"
        name={say('settings.language')}
        why={say('settings.language-why')}
        choices={languageChoices(language)}
      />
      <PreferenceRow
        preference="direction"
        name={say('settings.direction-of-the-page')}
        why={say('settings.messages-are-always-written-in')}
        choices={named(DIRECTIONS)}
      />
      <div className="setting-row">
        <p className="meta">{say('settings.these-are-kept-in-this')}</p>
        <button
          type="button"
          className="button"
          onClick={() => {
            const before = looksOf(readPreferences())
            choose(looksOf(USUAL))
            tell(say('settings.appearance-is-as-usual-again'), () => choose(before))
          }}
        >
          {say('settings.reset-appearance')}
        </button>
      </div>
    </section>
  )
}

interface PreferenceRowProps<Name extends 'theme' | 'motion' | 'language' | 'direction'> {
  readonly preference: Name
  readonly name: string
  readonly why: string
  readonly choices: readonly { readonly value: Preferences[Name]; readonly name: string }[]
}

/** One preference that has a few values. */
function PreferenceRow<Name extends 'theme' | 'motion' | 'language' | 'direction'>(props: PreferenceRowProps<Name>) {
  const { preference, ...shown } = props
  const value = usePreference(preference)
  return (
    <ChoiceRow
      {...shown}
      id={`setting-${preference}`}
      isUsual={value === USUAL[preference]}
      value={value}
      onChoose={(chosen) => choose({ [preference]: chosen })}
    />
  )
}

/** What this page sets, of all preferences. */
function looksOf({ theme, motion, textSizePx, language, direction }: Preferences): Partial<Preferences> {
  return { theme, motion, textSizePx, language, direction }
}

function named<Value>(choices: readonly { readonly value: Value; readonly name: PlainKey }[]) {
  return choices.map(({ value, name }) => ({ value, name: say(name) }))
}

/** The languages by their own names, first what the browser asks for. Those for tests are offered by the address alone. [UI50] */
function languageChoices(
  chosen: Preferences['language'],
): readonly { readonly value: Preferences['language']; readonly name: string }[] {
  const asked = languageFor('browser', navigator.languages)
  const names = LANGUAGES.map(({ language, name, isDraft }) => ({
    value: language,
    name: isDraft ? say('settings.drafted-by-a-machine', { name }) : name,
  }))
  const name = names.find(({ value }) => value === asked)?.name ?? ''
  const isTested = new URLSearchParams(location.search).get('languages') === 'test'
  const trials = PSEUDO_LANGUAGES.filter((language) => isTested || language === chosen).map((language) => ({
    value: language,
    name: say('settings.test-language', { name: language }),
  }))
  return [{ value: 'browser', name: say('settings.as-the-browser', { name }) }, ...names, ...trials]
}

interface ChoiceRowProps<Value extends string> {
  readonly id: string
  readonly name: string
  readonly why: string
  readonly isUsual: boolean
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly name: string }[]
  readonly onChoose: (value: Value) => void
}

/** One setting of a few values: what it is, why one would change it, whether it is as usual, and where it is changed. */
function ChoiceRow<Value extends string>(props: ChoiceRowProps<Value>) {
  const { id, name, why, isUsual, value, choices, onChoose } = props
  return (
    <div className="setting-row">
      <div>
        <label htmlFor={id}>{name}</label>
        {!isUsual && <span className="meta"> {say('settings.changed')}</span>}
        <p className="meta" id={`${id}-why`}>
          {why}
        </p>
      </div>
      <select
        id={id}
        className="picker boxed"
        aria-describedby={`${id}-why`}
        value={value}
        onChange={({ target }) => {
          const chosen = choices.find((choice) => choice.value === target.value)
          if (chosen) onChoose(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </div>
  )
}
