import { StoreWriteError } from '@holdfast/conversation'
import { expect, test } from 'vitest'
import { serve } from './support/serve.ts'

test('[LOG8] a refused write is answered with what is wrong, and the health of the server says so until one succeeds', async () => {
  let isFull = false
  const served = await serve({
    webRoot: null,
    onStoreCall(name) {
      if (isFull && name === 'append') throw new StoreWriteError('disk-full', 'The disk is full.')
    },
  })
  try {
    const id = await served.newConversation()
    const storeState = () => served.call('GET', '/api/v1/health')
    const rename = (commandId: string) =>
      served.call('PATCH', `/api/v1/conversations/${id}`, { commandId, title: 'A title' })
    expect(await storeState()).toMatchObject({ body: { store: 'ok' } })
    isFull = true
    expect(await rename('rename_1')).toMatchObject({ status: 503, body: { detail: 'The disk is full.' } })
    expect(await storeState()).toMatchObject({ body: { store: 'failing' } })
    expect((await served.call('GET', '/api/v1/ready')).status).toBe(200)
    isFull = false
    expect(await rename('rename_1')).toMatchObject({ status: 200 })
    expect(await storeState()).toMatchObject({ body: { store: 'ok' } })
  } finally {
    await served.close()
  }
})
