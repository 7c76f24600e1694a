import { type ComponentType, lazy, useState } from 'react'
import { loadTheRest } from './language/load-words.ts'
import { say } from './language/say.ts'

/** Reads the scripts that have not been asked for. */
const waiting = new Set<() => Promise<unknown>>()

/** A part of the page with a script of its own, which the first paint does not need. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | null = null
  async function read(): Promise<ComponentType<Props>> {
    waiting.delete(read)
    const [part] = await Promise.all([load(), loadTheRest()])
    known = part
    return part
  }
  waiting.add(read)
  const Waited: ComponentType<Props> = lazy(async () => {
    try {
      return { default: await read() }
    } catch (error) {
      // A server that is gone or another one than before: the browser says no more than that.
      if (!(error instanceof TypeError)) throw error
      return { default: NotRead }
    }
  })
  return function Later(props) {
    // React draws what it had to wait for 300 ms later at the earliest, however soon it was there.
    const [Part] = useState(() => known ?? Waited)
    return <Part {...props} />
  }
}

/** Reads one after the other all that has not been asked for, so that it opens at once, and also while the server is away. [UI125] */
export async function readTheRest(): Promise<void> {
  if (savesData()) return
  // Whoever opens a part that cannot be read is told; here nobody waits for it.
  for (const read of [...waiting]) if (waiting.has(read)) await read().catch(() => null)
}

/** Whether the browser is told to save data. https://wicg.github.io/savedata/ */
function savesData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null
  return (
    typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true
  )
}

/** Stands where a part could not be read. What is written is kept over a reload. */
function NotRead() {
  return (
    <p className="notice-page" role="alert">
      {say('page.part-not-read')}{' '}
      <button type="button" className="button small" onClick={() => location.reload()}>
        {say('page.reload-the-page')}
      </button>
    </p>
  )
}
