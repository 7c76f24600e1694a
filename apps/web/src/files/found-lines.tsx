import { type PlaceFiles, RequestFailedError } from '@holdfast/client'
import { useEffect, useState } from 'react'
import { answerOf } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { shownName } from '../shared/language/shown-name.ts'

interface FoundLinesProps {
  readonly files: PlaceFiles
  readonly words: string
  readonly onOpen: (path: string, line: number | null) => void
}

type Found = Awaited<ReturnType<PlaceFiles['search']>>

/** The words must rest for so long before they are looked for, in milliseconds. */
const REST_MS = 150

/** Files and lines that hold the words. [UI71] */
export function FoundLines({ files, words, onOpen }: FoundLinesProps) {
  const [found, setFound] = useState<Found | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await answerOf(searchUntil(files, words, leaving.signal))
      if (leaving.signal.aborted) return
      setProblem(answer.problem)
      if (answer.value !== null) setFound(answer.value)
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [files, words])
  if (problem !== null) return <p className="file-problem">{problem}</p>
  if (found === null) return <p className="meta dock-wait">{say('tree.searching')}</p>
  const count = found.files.reduce((sum, { lines }) => sum + lines.length, 0)
  return (
    <div className="found-lines" data-testid="found-lines">
      <p className="meta" role="status">
        {say('tree.found', { lines: count, files: found.files.length })}
        {found.isCut && <span className="found-cut">{say('tree.found-cut')}</span>}
      </p>
      {found.paths.length > 0 && (
        <ul>
          {found.paths.map((path) => (
            <li key={path}>
              <button type="button" className="found-path" onClick={() => onOpen(path, null)}>
                <bdi>{shownName(path)}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      {found.files.map(({ path, lines }) => (
        <section key={path}>
          <h3>
            <bdi>{shownName(path)}</bdi>
          </h3>
          <ul>
            {lines.map(({ line, text }) => (
              <li key={line}>
                <button type="button" className="found-line" onClick={() => onOpen(path, line)}>
                  <span className="found-number">{line}</span>
                  <code dir="ltr">{text.trim()}</code>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** An answer that nobody waits for any more is none. */
async function searchUntil(files: PlaceFiles, words: string, signal: AbortSignal): Promise<Found | null> {
  try {
    return await files.search(words, signal)
  } catch (error) {
    if (error instanceof RequestFailedError && signal.aborted) return null
    throw error
  }
}
