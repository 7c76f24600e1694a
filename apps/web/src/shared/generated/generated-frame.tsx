import { GENERATED_PAGE_PATH } from '@holdfast/protocol'
import { useRef } from 'react'
import { BASE_PATH } from '../address.ts'

interface GeneratedFrameProps {
  readonly html: string
  readonly title: string
}

/** Scripts, and forms that a script reads; no origin, no window, no download, no dialog. The server says the same. [PREV11] */
const ALLOWED = ['allow-scripts', 'allow-forms', 'allow-pointer-lock'].join(' ')

/** A page that an agent wrote. What stands in the frame is given its source each time it is loaded, and nothing else. [PREV11] */
export function GeneratedFrame({ html, title }: GeneratedFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  return (
    <iframe
      ref={frame}
      className="generated-frame"
      data-testid="generated-frame"
      title={title}
      src={BASE_PATH + GENERATED_PAGE_PATH}
      sandbox={ALLOWED}
      allow=""
      referrerPolicy="no-referrer"
      // Its origin is nobody's, so that it cannot be named; all that is said is what it is to show.
      onLoad={() => frame.current?.contentWindow?.postMessage({ html }, '*')}
    />
  )
}
