import { StoreReadError } from '@holdfast/conversation'
import { expect, test } from 'vitest'
import { explained } from '../src/cli/reach/explained.ts'

test('[CLI2] a store that cannot be read is said with a code, and not with a stack', async () => {
  const refused = explained(() => Promise.reject(new StoreReadError('The database cannot be read: SQLITE_CANTOPEN')))
  await expect(refused).rejects.toMatchObject({ code: 'E_STORE_READ_FAILED', exitCode: 1 })
})
