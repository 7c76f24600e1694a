import type { Json, TranscriptPart } from '@holdfast/conversation'
import { setDock } from '../shared/address.ts'
import { say } from '../shared/language/say.ts'

/** What a message says about elements of the canvas: what the person pointed at, or answered. */
export function CanvasReferences({ parts }: { readonly parts: readonly TranscriptPart[] }) {
  return parts.map((part) =>
    part.type === 'canvas' ? (
      <span key={part.elementId} className="canvas-reference" data-testid="canvas-reference">
        {part.answer === undefined ? say('canvas.on-the-canvas') : say('canvas.answered-on-the-canvas')}{' '}
        {part.answer !== undefined && <strong>{answerWords(part.answer)}</strong>}{' '}
        <button type="button" className="link-button" onClick={() => setDock('canvas')}>
          {part.name ?? part.elementId}
        </button>
        {part.text !== undefined && part.text !== '' && (
          <details className="sent-resource">
            <summary>{say('canvas.as-it-was-then')}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
            <pre className="printed" dir="auto" tabIndex={0}>
              {part.text}
            </pre>
          </details>
        )}
      </span>
    ) : null,
  )
}

function answerWords(answer: Json): string {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return valueWords(answer)
  return Object.entries(answer)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${valueWords(value)}`)
    .join(', ')
}

function valueWords(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
