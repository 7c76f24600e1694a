import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeBackup, describeEntryStore, describeRecords } from '@holdfast/conversation/testing'
import { restoreSqliteStore } from '@holdfast/store/sqlite'
import { afterAll } from 'vitest'
import { openForSuite } from './support/sqlite-harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdfast-'))
let number = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const harness = { open: () => openForSuite(newPath()) }

describeEntryStore('sqlite', harness)
describeRecords('sqlite', harness)
describeBackup('sqlite', {
  ...harness,
  newFile: async () => newPath(),
  restore: async (from) => {
    const dataDir = newPath()
    await restoreSqliteStore({ from, dataDir, force: false })
    return openForSuite(dataDir)
  },
})

function newPath(): string {
  number += 1
  return join(folder, String(number))
}
