import type { CanvasElement, ContentOf } from '@holdfast/conversation'
import { type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { dayAndTime } from '../shared/format.ts'
import { GeneratedPage } from '../shared/generated/generated-page.tsx'
import { bytesText } from '../shared/language/bytes-text.ts'
import { say } from '../shared/language/say.ts'
import type { CanvasActs } from './canvas-acts.ts'
import { isToShow, onOpened, openedVersion, openVersion } from './opened-pages.ts'

interface PageElementProps {
  readonly page: CanvasElement & ContentOf<'page'>
  readonly acts: CanvasActs
  readonly isFull: boolean
}

/**
 * A page that the agent wrote. Nothing of it runs before a person opens it, and a version that is open stays what it is
 * when the agent writes another one. [PREV11]
 */
export function PageElement({ page, acts, isFull }: PageElementProps) {
  const { id: elementId, description, html, versions } = page
  const { pages } = acts
  const newest = versions.at(-1)?.seq ?? 0
  const place = { conversationId: pages?.conversationId ?? '', elementId }
  const opened = useSyncExternalStore(onOpened, () => openedVersion(place))
  const shown = opened !== null && versions.some(({ seq }) => seq === opened) ? opened : null
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (shown !== null && isToShow({ conversationId: pages?.conversationId ?? '', elementId }))
      root.current?.scrollIntoView({ block: 'nearest' })
  }, [shown, pages, elementId])
  const sizeBytes = useMemo(() => new Blob([html]).size, [html])
  if (pages === null || (shown === null && !isFull))
    return (
      <div className="page-element">
        {description !== '' && <p dir="auto">{description}</p>}
        {pages !== null && (
          <button type="button" className="button primary" onClick={() => openVersion(place, newest)}>
            {say('canvas.open-page')}
          </button>
        )}
        <p className="meta">{say('canvas.page-facts', { size: bytesText(sizeBytes), count: versions.length })}</p>
      </div>
    )
  const seq = shown ?? newest
  return (
    <div ref={root} className="page-element">
      <PageVersion key={seq} page={page} read={pages.read} seq={seq}>
        {versions.length > 1 && (
          <select
            className="picker boxed"
            aria-label={say('canvas.page-version')}
            value={seq}
            onChange={({ target }) => openVersion(place, Number(target.value))}
          >
            {versions.map((version, index) => (
              <option key={version.seq} value={version.seq}>
                {say('canvas.page-version-of', { number: index + 1, time: dayAndTime(version.at) })}
              </option>
            ))}
          </select>
        )}
        {seq !== newest && (
          <button type="button" className="link-button" onClick={() => openVersion(place, newest)}>
            {say('canvas.page-newest')}
          </button>
        )}
        {!isFull && (
          <button type="button" className="link-button" onClick={() => openVersion(place, null)}>
            {say('common.close')}
          </button>
        )}
      </PageVersion>
    </div>
  )
}

interface PageVersionProps {
  readonly page: CanvasElement & ContentOf<'page'>
  readonly read: NonNullable<CanvasActs['pages']>['read']
  readonly seq: number
  readonly children: ReactNode
}

/** One version, read from the log: what is followed may be cut. [LOG28] */
function PageVersion({ page: { id, title }, read, seq, children }: PageVersionProps) {
  const ask = useMemo(() => () => read(id, seq), [read, id, seq])
  const [asked] = useAsked(ask)
  if (asked.type === 'asking') return <p className="meta">{say('canvas.loading')}</p>
  if (asked.value === null)
    return (
      <>
        <p className="problem" role="alert">
          {asked.problem ?? say('canvas.page-version-gone')}
        </p>
        <div className="generated-bar">{children}</div>
      </>
    )
  return (
    <GeneratedPage html={asked.value} title={title}>
      {children}
    </GeneratedPage>
  )
}
