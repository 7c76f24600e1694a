import { choose, USUAL, usePreference } from '../preferences/preferences.ts'
import { tell } from '../toasts/toasts.ts'
import { Choice, SettingRow } from './setting-row.tsx'

const THEMES = [
  { value: 'system', name: 'As the system' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
  { value: 'high-contrast', name: 'High contrast' },
] as const

const MOTIONS = [
  { value: 'system', name: 'As the system' },
  { value: 'reduced', name: 'Reduced' },
  { value: 'full', name: 'Full' },
] as const

const SIZES = ['14', '15', '16', '17', '18', '19', '20'].map((value) => ({ value, name: `${value} px` }))

const DIRECTIONS = [
  { value: 'ltr', name: 'Left to right' },
  { value: 'rtl', name: 'Right to left' },
] as const

/** How the page looks, in this browser. Everything holds at once. */
export function AppearancePage() {
  const theme = usePreference('theme')
  const motion = usePreference('motion')
  const textSizePx = usePreference('textSizePx')
  const direction = usePreference('direction')
  return (
    <section aria-label="Appearance">
      <SettingRow
        id="setting-theme"
        name="Theme"
        why="High contrast has pure ink, strong edges and no soft fills, light or dark as the system."
        isUsual={theme === USUAL.theme}
      >
        <Choice id="setting-theme" value={theme} choices={THEMES} onChoose={(value) => choose({ theme: value })} />
      </SettingRow>
      <SettingRow
        id="setting-size"
        name="Text size"
        why="Of messages; everything else keeps its proportion to them."
        isUsual={textSizePx === USUAL.textSizePx}
      >
        <Choice
          id="setting-size"
          value={String(textSizePx)}
          choices={SIZES}
          onChoose={(value) => choose({ textSizePx: Number(value) })}
        />
      </SettingRow>
      <SettingRow
        id="setting-motion"
        name="Motion"
        why="Reduced: nothing turns, slides or scrolls by itself; seconds still count."
        isUsual={motion === USUAL.motion}
      >
        <Choice id="setting-motion" value={motion} choices={MOTIONS} onChoose={(value) => choose({ motion: value })} />
      </SettingRow>
      <SettingRow
        id="setting-direction"
        name="Direction of the page"
        why="Messages are always written in the direction of their own words; code stays from left to right."
        isUsual={direction === USUAL.direction}
      >
        <Choice
          id="setting-direction"
          value={direction}
          choices={DIRECTIONS}
          onChoose={(value) => choose({ direction: value })}
        />
      </SettingRow>
      <div className="setting-row">
        <p className="meta">These are kept in this browser.</p>
        <button
          type="button"
          className="button"
          onClick={() => {
            const before = { theme, motion, textSizePx, direction }
            choose({
              theme: USUAL.theme,
              motion: USUAL.motion,
              textSizePx: USUAL.textSizePx,
              direction: USUAL.direction,
            })
            tell('Appearance is as usual again', () => choose(before))
          }}
        >
          Reset appearance
        </button>
      </div>
    </section>
  )
}
