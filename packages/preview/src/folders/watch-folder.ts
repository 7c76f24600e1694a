import { watch } from 'node:fs'
import type { Clock } from '@holdfast/conversation'

/** Several changes that come together are one. In milliseconds. */
const TOGETHER_MS = 60

/** Calls when something in a folder changes. @returns the end of it. */
export function watchFolder(
  path: string,
  {
    clock,
    onChange,
    onFault,
  }: { readonly clock: Clock; readonly onChange: () => void; readonly onFault: (error: unknown) => void },
): () => void {
  let cancel: (() => void) | null = null
  const watcher = watch(path, { recursive: true, persistent: false }, (_event, name) => {
    // What is written by the thousand and shown by nobody.
    if (name !== null && /(?:^|\/)(?:node_modules|\.git)(?:\/|$)/.test(name)) return
    cancel ??= clock.after(TOGETHER_MS, () => {
      cancel = null
      onChange()
    })
  })
  watcher.on('error', onFault)
  return () => {
    cancel?.()
    watcher.close()
  }
}
