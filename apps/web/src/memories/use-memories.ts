import { type MemoryApi, type MemoryChange, RequestFailedError } from '@holdfast/client'
import type { MemoriesAnswer } from '@holdfast/protocol'
import { useEffect, useState } from 'react'
import { type Act, useAct } from '../account/use-act.ts'
import { say } from '../language/say.ts'
import { errorText } from '../problem-words.ts'

/** What is remembered, as far as it is asked for, and what can be done with it. */
export interface MemoryShelf {
  /** Null until it is here. */
  readonly answer: MemoriesAnswer | null
  readonly act: Pick<Act, 'isBusy' | 'problem'>
  /** What the last import brought, in words; null for none. */
  readonly imported: string | null
  /** @returns whether it was written down. */
  add(text: string): Promise<boolean>
  change(memoryId: string, change: MemoryChange): Promise<boolean>
  remove(memoryId: string): void
  removeAll(): void
  setOn(isOn: boolean): void
  importFile(file: Blob): void
}

/** The memories that hold some words, read anew after every change from here. */
export function useMemories(api: MemoryApi, query: string): MemoryShelf {
  const [answer, setAnswer] = useState<MemoriesAnswer | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [imported, setImported] = useState<string | null>(null)
  const [changeCount, setChangeCount] = useState(0)
  const act = useAct()

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was changed from here is read anew
  useEffect(() => {
    let isOld = false
    api
      .list(query)
      .then((read) => {
        if (isOld) return
        setAnswer(read)
        setFailure(null)
      })
      .catch((error: unknown) => {
        if (!(error instanceof RequestFailedError)) throw error
        if (!isOld) setFailure(errorText(error))
      })
    return () => {
      isOld = true
    }
  }, [api, query, changeCount])

  async function doing(work: () => Promise<unknown>): Promise<boolean> {
    setImported(null)
    const isDone = await act.run(async () => {
      await work()
    })
    setChangeCount((count) => count + 1)
    return isDone
  }

  async function takeIn(file: Blob): Promise<void> {
    const list = parsed(await file.text())
    if (list === null) {
      setImported(say('memories.this-file-holds-no-memories'))
      return
    }
    let words = ''
    const isDone = await doing(async () => {
      const { savedCount, knownCount, refused } = await api.importList(list)
      words = [
        say('memories.added', { added: savedCount, known: knownCount }),
        ...(refused.length === 0
          ? []
          : [say('memories.left-out', { count: refused.length, reason: refused[0]?.reason ?? '' })]),
      ].join('; ')
    })
    if (isDone) setImported(words)
  }

  return {
    answer,
    imported,
    act: { isBusy: act.isBusy, problem: act.problem ?? failure },
    add: (text) => doing(() => api.add(text)),
    change: (memoryId, change) => doing(() => api.change(memoryId, change)),
    remove: (memoryId) => void doing(() => api.remove(memoryId)),
    removeAll: () => void doing(api.removeAll),
    setOn: (isOn) => void doing(() => api.setOn(isOn)),
    importFile: (file) => void takeIn(file),
  }
}

/** What a file with a list of memories holds; null for any other. */
function parsed(text: string): { readonly memories: readonly unknown[] } | null {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null || !('memories' in read)) return null
    return Array.isArray(read.memories) ? { memories: read.memories } : null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}
