import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describeBackup, describeEntryStore, describeRecords } from '@holdfast/conversation/testing'
import { restoreSqliteStore } from '@holdfast/store/sqlite'
import { afterAll } from 'vitest'
import { newFolder, openForSuite } from './support/sqlite-harness.ts'

const folders: string[] = []

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const harness = { open: async () => openForSuite(await newFolder()) }

describeEntryStore('sqlite', harness)
describeRecords('sqlite', harness)
describeBackup('sqlite', {
  ...harness,
  newFile: async () => {
    const folder = await newFolder()
    folders.push(folder)
    return join(folder, 'copy.sqlite')
  },
  restore: async (from) => {
    const dataDir = await newFolder()
    await restoreSqliteStore({ from, dataDir, force: false })
    return openForSuite(dataDir)
  },
})
