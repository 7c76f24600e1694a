import { useRef, useState } from 'react'
import { Icon } from '../icons.tsx'
import { say } from '../language/say.ts'
import { GeneratedPage } from './generated-page.tsx'

/** Opens HTML that stands in a message as the page that it is. Nothing of it runs before. [PREV11] */
export function OpenPage({ html }: { readonly html: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  /** As it was when it was opened: what streams on does not begin the page anew. */
  const [shown, setShown] = useState<string | null>(null)
  const title = titleOf(html) ?? say('canvas.page')
  function open(): void {
    setShown(html)
    dialog.current?.showModal()
  }
  return (
    <>
      <button type="button" className="link-button" data-testid="open-page" onClick={open}>
        {say('canvas.open-page')}
      </button>
      <dialog ref={dialog} className="full" aria-label={title} onClose={() => setShown(null)}>
        {shown !== null && (
          <>
            <header>
              <h3 dir="auto">{title}</h3>
              <button
                type="button"
                className="icon-button"
                aria-label={say('canvas.close-page')}
                onClick={() => dialog.current?.close()}
              >
                <Icon name="close" />
              </button>
            </header>
            <div className="full-body">
              <GeneratedPage html={shown} title={title} />
            </div>
          </>
        )}
      </dialog>
    </>
  )
}

const TITLE_CHARS = 200

function titleOf(html: string): string | null {
  const words = /<title[^>]{0,200}>([^<]{1,1000})<\/title/iu.exec(html)?.[1]?.replaceAll(/\s+/gu, ' ').trim() ?? ''
  return words === '' ? null : words.slice(0, TITLE_CHARS)
}
