import { useId, useState } from 'react'
import { Glyph, Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { shortName } from './call-words.ts'

interface PreparingCallProps {
  readonly name: string
  readonly inputText: string
  readonly isComplete: boolean
}

/** A call whose input is being written by the model. Opened, it fills as the input comes. */
export function PreparingCall({ name, inputText, isComplete }: PreparingCallProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="tools">
      <div className="tool" data-testid="tool-card" data-state="preparing">
        <button
          type="button"
          className="tool-head"
          aria-expanded={isOpen}
          aria-controls={id}
          title={name}
          onClick={() => setOpen(!isOpen)}
        >
          <Glyph name="pending" lively={false} />
          <span className="tool-name">{shortName(name)}</span>
          <span className="tool-object">{OPENING.exec(inputText)?.[1] ?? ''}</span>
          <span className="tool-state">{isComplete ? say('tools.about-to-run') : say('tools.preparing')}</span>
          <Icon name="right" />
        </button>
        <div id={id} className="tool-body" hidden={!isOpen}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
          <pre className="printed" dir="ltr" tabIndex={0}>
            {inputText}
          </pre>
        </div>
      </div>
    </div>
  )
}

/** The first text of an input that is not whole yet. */
const OPENING = /"(?:path|file_path|command|query|pattern|url)"\s*:\s*"((?:[^"\\]|\\.){1,200})"/
