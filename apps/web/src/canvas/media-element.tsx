import type { CanvasElement, ContentOf } from '@holdfast/conversation'
import { useEffect, useRef, useState } from 'react'
import { answerOf } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import type { MediaLoader } from './canvas-acts.ts'

interface MediaElementProps {
  readonly media: CanvasElement & ContentOf<'media'>
  /** Null where nothing is loaded: what was, and what is being drawn. */
  readonly loader: MediaLoader | null
}

/**
 * A picture, sound or film. A file of the conversation is here at once; of what stands elsewhere nothing is loaded before
 * the button is pressed that names the host. [SEC3, CANVAS8]
 */
export function MediaElement({ media, loader }: MediaElementProps) {
  const { kind, url, description } = media
  const [isWanted, setWanted] = useState(false)
  return (
    <div className="media-element">
      {description !== '' && <p dir="auto">{description}</p>}
      {loader !== null && (url === undefined || isWanted) && (
        <LoadedMedia key={loader.targetOf(media)} media={media} loader={loader} isAsked={isWanted} />
      )}
      {url !== undefined && !isWanted && (
        <>
          {loader !== null && (
            <button type="button" className="button" onClick={() => setWanted(true)}>
              {say('canvas.load-from', { kind, host: hostOf(url) })}
            </button>
          )}
          <p className="meta">{say('canvas.it-comes-through-this-server')}</p>
        </>
      )}
      {url !== undefined && (
        <a className="link-button media-source" href={url} target="_blank" rel="noreferrer noopener" dir="ltr">
          {say('canvas.open-at', { kind, host: hostOf(url) })}
        </a>
      )}
    </div>
  )
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

/** Where it is, and where it goes on: an address is good for a minute, and a long film asks for more of it later. */
interface Source {
  readonly address: string
  readonly fromSeconds: number
}

interface LoadedMediaProps extends MediaElementProps {
  readonly loader: MediaLoader
  /** Whether a person asked for it just now: then it plays at once. */
  readonly isAsked: boolean
}

function LoadedMedia({ media, loader, isAsked }: LoadedMediaProps) {
  const { kind, title, description } = media
  const target = loader.targetOf(media)
  const [source, setSource] = useState<Source | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  /** Where it failed last: at one place it is tried once more. */
  const failedAt = useRef<number | null>(null)
  const isGone = useRef(false)

  useEffect(() => {
    isGone.current = false
    void answerOf(loader.ticketed(target)).then((answer) => {
      if (isGone.current) return
      setProblem(answer.problem)
      if (answer.value !== null) setSource({ address: answer.value, fromSeconds: 0 })
    })
    return () => {
      isGone.current = true
    }
  }, [loader, target])

  async function onError(atSeconds: number): Promise<void> {
    const isTried = failedAt.current === atSeconds
    failedAt.current = atSeconds
    const why = await loader.whyNot(target)
    const again = why === null && !isTried ? (await answerOf(loader.ticketed(target))).value : null
    if (isGone.current) return
    if (again === null) setProblem(why ?? say('canvas.this-browser-cannot-show-it'))
    else setSource({ address: again, fromSeconds: atSeconds })
  }

  if (problem !== null)
    return (
      <p className="problem" role="alert">
        {problem}
      </p>
    )
  if (source === null) return <p className="meta">{say('canvas.loading')}</p>
  if (kind === 'image')
    return (
      <img
        data-testid="canvas-media"
        src={source.address}
        alt={description === '' ? title : description}
        onError={() => void onError(0)}
      />
    )
  const player = {
    'data-testid': 'canvas-media',
    src: source.address,
    controls: true,
    preload: 'metadata',
    autoPlay: isAsked || source.fromSeconds > 0,
    'aria-label': title,
    onLoadedMetadata: ({ currentTarget }: { readonly currentTarget: HTMLMediaElement }) => {
      if (source.fromSeconds > 0) currentTarget.currentTime = source.fromSeconds
    },
    onError: ({ currentTarget }: { readonly currentTarget: HTMLMediaElement }) =>
      void onError(currentTarget.currentTime),
  }
  return kind === 'audio' ? <audio {...player} /> : <video {...player} playsInline />
}
