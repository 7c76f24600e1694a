import { LANGUAGES, languageFor } from '../language/languages.ts'
import { type PlainKey, say } from '../language/say.ts'
import { choose, type Preferences, USUAL, usePreference } from '../preferences/preferences.ts'
import { tell } from '../toasts/toasts.ts'
import { Choice, SettingRow } from './setting-row.tsx'

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
  const theme = usePreference('theme')
  const motion = usePreference('motion')
  const textSizePx = usePreference('textSizePx')
  const direction = usePreference('direction')
  const language = usePreference('language')
  return (
    <section aria-label={say('settings.appearance')}>
      <SettingRow
        id="setting-theme"
        name={say('settings.theme')}
        why={say('settings.high-contrast-has-pure-ink')}
        isUsual={theme === USUAL.theme}
      >
        <Choice
          id="setting-theme"
          value={theme}
          choices={named(THEMES)}
          onChoose={(value) => choose({ theme: value })}
        />
      </SettingRow>
      <SettingRow
        id="setting-size"
        name={say('settings.text-size')}
        why={say('settings.of-messages-everything-else-keeps')}
        isUsual={textSizePx === USUAL.textSizePx}
      >
        <Choice
          id="setting-size"
          value={String(textSizePx)}
          choices={SIZES.map((value) => ({ value, name: say('settings.pixels', { size: value }) }))}
          onChoose={(value) => choose({ textSizePx: Number(value) })}
        />
      </SettingRow>
      <SettingRow
        id="setting-motion"
        name={say('settings.motion')}
        why={say('settings.reduced-nothing-turns-slides-or')}
        isUsual={motion === USUAL.motion}
      >
        <Choice
          id="setting-motion"
          value={motion}
          choices={named(MOTIONS)}
          onChoose={(value) => choose({ motion: value })}
        />
      </SettingRow>
      <SettingRow
        id="setting-language"
        name={say('settings.language')}
        why={say('settings.language-why')}
        isUsual={language === USUAL.language}
      >
        <Choice
          id="setting-language"
          value={language}
          choices={languageChoices()}
          onChoose={(value) => choose({ language: value })}
        />
      </SettingRow>
      <SettingRow
        id="setting-direction"
        name={say('settings.direction-of-the-page')}
        why={say('settings.messages-are-always-written-in')}
        isUsual={direction === USUAL.direction}
      >
        <Choice
          id="setting-direction"
          value={direction}
          choices={named(DIRECTIONS)}
          onChoose={(value) => choose({ direction: value })}
        />
      </SettingRow>
      <div className="setting-row">
        <p className="meta">{say('settings.these-are-kept-in-this')}</p>
        <button
          type="button"
          className="button"
          onClick={() => {
            const before = { theme, motion, textSizePx, language, direction }
            choose({
              theme: USUAL.theme,
              motion: USUAL.motion,
              textSizePx: USUAL.textSizePx,
              language: USUAL.language,
              direction: USUAL.direction,
            })
            tell(say('settings.appearance-is-as-usual-again'), () => choose(before))
          }}
        >
          {say('settings.reset-appearance')}
        </button>
      </div>
    </section>
  )
}

function named<Value>(choices: readonly { readonly value: Value; readonly name: PlainKey }[]) {
  return choices.map(({ value, name }) => ({ value, name: say(name) }))
}

/** The languages by their own names, first what the browser asks for. */
function languageChoices(): readonly { readonly value: Preferences['language']; readonly name: string }[] {
  const asked = languageFor('browser', navigator.languages)
  const names = LANGUAGES.map(({ language, name, isDraft }) => ({
    value: language,
    name: isDraft ? say('settings.drafted-by-a-machine', { name }) : name,
  }))
  const name = names.find(({ value }) => value === asked)?.name ?? ''
  return [{ value: 'browser', name: say('settings.as-the-browser', { name }) }, ...names]
}
