import { type Canvas, CanvasLayout, CanvasMode, CanvasTheme } from '@holdfast/conversation'
import type { CanvasActs } from './canvas-acts.ts'

interface LookProps {
  readonly canvas: Pick<Canvas, 'mode' | 'layout' | 'theme'>
  readonly acts: CanvasActs
  readonly onSaid: (words: string) => void
}

const MODE_WORDS: Readonly<Record<CanvasMode, string>> = {
  content: 'Elements',
  media: 'Media first',
  ambient: 'Large and quiet',
}

const LAYOUT_WORDS: Readonly<Record<CanvasLayout, string>> = {
  auto: 'As there is room',
  column: 'One column',
  grid: 'Grid',
  focus: 'First one large',
}

const THEME_WORDS: Readonly<Record<CanvasTheme, string>> = {
  plain: 'None',
  green: 'Green',
  blue: 'Blue',
  amber: 'Amber',
  rose: 'Rose',
  violet: 'Violet',
}

/** How the canvas is shown, for every tab: what stands in front, how it is placed, and its tint. [CANVAS3] */
export function CanvasLook({ canvas: { mode, layout, theme }, acts, onSaid }: LookProps) {
  async function set(
    action: 'set-mode' | 'set-theme',
    value: CanvasTheme | { mode: CanvasMode; layout: CanvasLayout },
  ) {
    const problem = await acts.act({ elementId: 'canvas', action, value })
    if (problem !== null) onSaid(problem)
  }

  return (
    <div className="canvas-row canvas-look">
      <label>
        Show
        <select
          className="picker boxed"
          value={mode}
          disabled={!acts.isOnline}
          onChange={({ target }) => void set('set-mode', { mode: CanvasMode.parse(target.value), layout })}
        >
          {CanvasMode.options.map((option) => (
            <option key={option} value={option}>
              {MODE_WORDS[option]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Layout
        <select
          className="picker boxed"
          value={layout}
          disabled={!acts.isOnline}
          onChange={({ target }) => void set('set-mode', { mode, layout: CanvasLayout.parse(target.value) })}
        >
          {CanvasLayout.options.map((option) => (
            <option key={option} value={option}>
              {LAYOUT_WORDS[option]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Tint
        <select
          className="picker boxed"
          value={theme}
          disabled={!acts.isOnline}
          onChange={({ target }) => void set('set-theme', CanvasTheme.parse(target.value))}
        >
          {CanvasTheme.options.map((option) => (
            <option key={option} value={option}>
              {THEME_WORDS[option]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
