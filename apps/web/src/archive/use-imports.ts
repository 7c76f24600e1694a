import { type Client, type ImportFollower, RequestFailedError } from '@holdfast/client'
import type { ImportAnswer } from '@holdfast/protocol'
import { useRef, useState } from 'react'
import { say } from '../language/say.ts'
import { errorText } from '../problem-words.ts'
import type { ShownImport } from './import-words.ts'

/** The imports of this tab, and those of the server that still run. */
export interface ImportList {
  readonly shown: readonly ShownImport[]
  /** Imports files, one after another. */
  add(files: readonly File[]): void
  cancel(key: string): void
  /** Follows what runs on the server already: begun in another tab, or before a reload. */
  pickUp(): void
}

/** Imports that go on while their view is closed. */
export function useImports(client: Client): ImportList {
  const [shown, setShown] = useState<readonly ShownImport[]>([])
  const aborts = useRef(new Map<string, AbortController>())
  const last = useRef<Promise<void>>(Promise.resolve())

  function change(key: string, part: Partial<ShownImport>): void {
    setShown((items) => items.map((item) => (item.key === key ? { ...item, ...part } : item)))
  }

  function begin(key: string, name: string, work: (follower: ImportFollower) => Promise<ImportAnswer>): Promise<void> {
    const abort = new AbortController()
    aborts.current.set(key, abort)
    setShown((items) => [{ key, name, answer: null, problem: null }, ...items])
    const onProgress = (answer: ImportAnswer): void => change(key, { answer })
    async function follow(): Promise<void> {
      try {
        abort.signal.throwIfAborted()
        change(key, { answer: await work({ signal: abort.signal, onProgress }) })
      } catch (error) {
        if (!(error instanceof RequestFailedError || abort.signal.aborted)) throw error
        const words = error instanceof RequestFailedError ? errorText(error) : ''
        change(key, { problem: abort.signal.aborted ? say('archive.cancelled') : words })
      }
    }
    last.current = last.current.then(follow)
    return last.current
  }

  async function pickUpAll(): Promise<void> {
    const answers = await client.listImports().catch((error: unknown) => {
      if (error instanceof RequestFailedError) return []
      throw error
    })
    const known = new Set(shown.map(({ answer }) => answer?.id))
    for (const answer of answers) {
      if (answer.state !== 'running' || known.has(answer.id) || aborts.current.has(answer.id)) continue
      void begin(answer.id, answer.name, (follower) => client.followImport(answer, follower))
    }
  }

  return {
    shown,
    add(files) {
      for (const file of files)
        void begin(crypto.randomUUID(), file.name, (follower) => client.importFile(file, follower))
    },
    cancel: (key) => aborts.current.get(key)?.abort(),
    pickUp: () => void pickUpAll(),
  }
}
