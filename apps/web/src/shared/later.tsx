import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadTheRest } from './language/load-words.ts'
import { say } from './language/say.ts'

/** The scripts that have not been asked for. */
const waiting = new Set<() => Promise<unknown>>()

/** A part of the page with a script of its own, which the first paint does not need. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  waiting.add(load)
  return lazy(async () => {
    waiting.delete(load)
    try {
      const [part] = await Promise.all([load(), loadTheRest()])
      return { default: part }
    } catch (error) {
      // A server that is gone or another one than before: the browser says no more than that.
      if (!(error instanceof TypeError)) throw error
      return { default: NotRead }
    }
  })
}

/** Reads one after the other all that has not been asked for, so that it opens at once, and also while the server is away. */
export async function readTheRest(): Promise<void> {
  for (const load of [...waiting]) {
    // Whoever opens this part is told; here nobody waits for it.
    if (waiting.delete(load)) await load().catch(() => null)
  }
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
