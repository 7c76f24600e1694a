import { describeBackup, describeEntryStore, describeRecords, describeReplicas } from '@holdfast/conversation/testing'
import { openStore, restoredStore, useNewFiles } from './support/postgres-store.ts'

const newFile = useNewFiles()

describeEntryStore('PostgreSQL', { open: openStore })
describeRecords('PostgreSQL', { open: openStore })
describeReplicas('PostgreSQL', { open: openStore })
describeBackup('PostgreSQL', { open: openStore, newFile, restore: restoredStore })
