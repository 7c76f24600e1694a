import { WORK_OVER } from '../live/work-over.ts'

/**
 * A signal that fires with the first of several. `AbortSignal.any` does the same, and looks at all its sources whenever it
 * is asked whether it has fired: with every delta.
 */
export function firstOf(sources: readonly AbortSignal[]): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController()
  const abort = (): void => controller.abort(WORK_OVER)
  for (const source of sources) source.addEventListener('abort', abort, { once: true })
  if (sources.some(({ aborted }) => aborted)) abort()
  return {
    signal: controller.signal,
    close() {
      for (const source of sources) source.removeEventListener('abort', abort)
    },
  }
}
