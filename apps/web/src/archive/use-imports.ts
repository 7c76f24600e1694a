import type { Client, ImportFollower } from '@holdfast/client'
import { createTurns } from '@holdfast/conversation'
import type { FoundLogsRow, ImportAnswer } from '@holdfast/protocol'
import { useRef, useState } from 'react'
import { answerOf } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import type { ShownImport } from './import-words.ts'

/** The imports of this tab, and those of the server that still run. */
export interface ImportList {
  readonly shown: readonly ShownImport[]
  /** Imports files, one after another. */
  add(files: readonly File[]): void
  /** Has the server read what another program left on its disk. */
  addFound(found: Pick<FoundLogsRow, 'id' | 'name'>): void
  cancel(key: string): void
  /** Follows what runs on the server already: begun in another tab, or before a reload. */
  pickUp(): void
}

/** Imports that go on while their view is closed. */
export function useImports(client: Client): ImportList {
  const [shown, setShown] = useState<readonly ShownImport[]>([])
  const aborts = useRef(new Map<string, AbortController>())
  const [inTurn] = useState(createTurns)

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
        const { value, problem } = await answerOf(work({ signal: abort.signal, onProgress }))
        abort.signal.throwIfAborted()
        change(key, value === null ? { problem } : { answer: value })
      } catch (error) {
        if (!abort.signal.aborted) throw error
        change(key, { problem: say('archive.cancelled') })
      }
    }
    return inTurn(follow)
  }

  async function pickUpAll(): Promise<void> {
    const { value: answers } = await answerOf(client.listImports())
    const known = new Set(shown.map(({ answer }) => answer?.id))
    for (const answer of answers ?? []) {
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
    addFound({ id, name }) {
      void begin(`found-${id}-${crypto.randomUUID()}`, name, (follower) => client.importFoundLogs(id, follower))
    },
    cancel: (key) => aborts.current.get(key)?.abort(),
    pickUp: () => void pickUpAll(),
  }
}
