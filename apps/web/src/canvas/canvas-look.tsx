import { type Canvas, CanvasLayout, CanvasMode, CanvasTheme } from '@holdfast/conversation'
import { type PlainKey, say } from '../language/say.ts'
import type { CanvasActs } from './canvas-acts.ts'

interface LookProps {
  readonly canvas: Pick<Canvas, 'mode' | 'layout' | 'theme'>
  readonly acts: CanvasActs
  readonly onSaid: (words: string) => void
}

const MODE_WORDS: Readonly<Record<CanvasMode, PlainKey>> = {
  content: 'canvas.elements',
  media: 'canvas.media-first',
  ambient: 'canvas.large-and-quiet',
}

const LAYOUT_WORDS: Readonly<Record<CanvasLayout, PlainKey>> = {
  auto: 'canvas.as-there-is-room',
  column: 'canvas.one-column',
  grid: 'canvas.grid',
  focus: 'canvas.first-one-large',
}

const THEME_WORDS: Readonly<Record<CanvasTheme, PlainKey>> = {
  plain: 'canvas.none',
  green: 'canvas.green',
  blue: 'canvas.blue',
  amber: 'canvas.amber',
  rose: 'canvas.rose',
  violet: 'canvas.violet',
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
        {say('common.show')}
        <select
          className="picker boxed"
          value={mode}
          disabled={!acts.isOnline}
          onChange={({ target }) => void set('set-mode', { mode: CanvasMode.parse(target.value), layout })}
        >
          {CanvasMode.options.map((option) => (
            <option key={option} value={option}>
              {say(MODE_WORDS[option])}
            </option>
          ))}
        </select>
      </label>
      <label>
        {say('canvas.layout')}
        <select
          className="picker boxed"
          value={layout}
          disabled={!acts.isOnline}
          onChange={({ target }) => void set('set-mode', { mode, layout: CanvasLayout.parse(target.value) })}
        >
          {CanvasLayout.options.map((option) => (
            <option key={option} value={option}>
              {say(LAYOUT_WORDS[option])}
            </option>
          ))}
        </select>
      </label>
      <label>
        {say('canvas.tint')}
        <select
          className="picker boxed"
          value={theme}
          disabled={!acts.isOnline}
          onChange={({ target }) => void set('set-theme', CanvasTheme.parse(target.value))}
        >
          {CanvasTheme.options.map((option) => (
            <option key={option} value={option}>
              {say(THEME_WORDS[option])}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
