import { type ReactNode, useState } from 'react'
import { say } from '../language/say.ts'
import { GeneratedFrame } from './generated-frame.tsx'

interface GeneratedPageProps {
  readonly html: string
  readonly title: string
  /** What stands before the buttons. */
  readonly children?: ReactNode
}

/** A page that an agent wrote, with its source, to be looked at and saved. */
export function GeneratedPage({ html, title, children }: GeneratedPageProps) {
  const [isSource, setSource] = useState(false)
  return (
    <div className="generated" data-testid="generated-page">
      <div className="generated-bar">
        {children}
        <button type="button" className="link-button" aria-pressed={isSource} onClick={() => setSource(!isSource)}>
          {say('canvas.page-source')}
        </button>
        <button type="button" className="link-button" onClick={() => save(html, title)}>
          {say('common.save')}
        </button>
      </div>
      {/* It goes on while its source is read. */}
      <div className="generated-stage" hidden={isSource}>
        <GeneratedFrame html={html} title={title} />
      </div>
      {isSource && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard
        <pre className="element-source" dir="ltr" tabIndex={0}>
          {html}
        </pre>
      )}
    </div>
  )
}

const NAME_CHARS = 80
/** What file systems do not take in a name. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu

function save(html: string, title: string): void {
  const name = title.replaceAll(NOT_IN_NAMES, ' ').trim().replace(/^\.+/u, '').slice(0, NAME_CHARS).toWellFormed()
  const url = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name === '' ? 'page' : name}.html`
  link.click()
  URL.revokeObjectURL(url)
}
