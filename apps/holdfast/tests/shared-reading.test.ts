import type { RecordKind } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { createSharedReading } from '../src/store/shared-reading.ts'

const NOTE = { kind: 'note', schema: z.string() } as const satisfies RecordKind<string>

test('[SCALE11] parts are read once, and again when a record was written since: one question at rest, and none is lost where a part cannot be read', async () => {
  const { records } = createMemoryStore({ clock: systemClock })
  const write = (id: string) => records.put(NOTE, { ownerId: 'installation', id, revision: 0, value: id, at: 1 })
  await write('before')
  let reads = 0
  let asked = 0
  let fails = false
  const part = {
    async refresh() {
      if (fails) throw new Error('The part cannot be read')
      reads += 1
    },
  }
  const counted = {
    changes(after: number, limit: number) {
      asked += 1
      return records.changes(after, limit)
    },
  }
  const refresh = createSharedReading(counted, [part])
  await refresh()
  expect(reads).toBe(1)
  asked = 0
  await refresh()
  expect({ reads, asked }).toEqual({ reads: 1, asked: 1 })
  await write('later')
  fails = true
  await expect(refresh()).rejects.toThrow('cannot be read')
  fails = false
  await refresh()
  expect(reads).toBe(2)
  await refresh()
  expect(reads).toBe(2)
})
