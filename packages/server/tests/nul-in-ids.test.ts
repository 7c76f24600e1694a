import { API_PATH } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { serve } from './support/serve.ts'
import { greet } from './support/socket-client.ts'

test('[SCALE47] an id with a NUL is refused with 400, in an address, in a body and in a frame, before a store sees it', async () => {
  const asked: string[] = []
  const served = await serve({ webRoot: null, onStoreCall: (name) => void asked.push(name) })
  try {
    const id = await served.newConversation()
    asked.length = 0
    const content = [{ type: 'text', text: 'hello' }]
    const inputs = `${API_PATH}/conversations/${id}/inputs`
    for (const [method, path, body] of [
      ['GET', `${API_PATH}/conversations/%00`],
      ['GET', `${API_PATH}/conversations/a%00b/transcript`],
      ['DELETE', `${API_PATH}/providers/a%00`],
      ['POST', inputs, { commandId: 'a\0', content }],
      ['POST', inputs, { commandId: 'a', content: [{ type: 'file', attachmentId: 'a\0' }] }],
      ['POST', `${API_PATH}/conversations`, { commandId: 'a\0' }],
    ] as const) {
      const { status, body: told } = await served.call(method, path, body)
      expect({ path, status, told }).toMatchObject({ status: 400, told: { code: 'bad-request' } })
    }
    expect(asked).toEqual([])
    // Of other text a NUL is no harm.
    const sent = await served.call('POST', inputs, { commandId: 'a', content: [{ type: 'text', text: 'a\0b' }] })
    expect(sent.status).toBe(202)
    const socket = await greet(served)
    socket.send({ type: 'command', name: 'stop-run', commandId: 'b\0', conversationId: id })
    expect(await socket.next('refused')).toMatchObject({ problem: { status: 400 } })
    socket.socket.close()
  } finally {
    await served.close()
  }
})
