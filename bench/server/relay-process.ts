/** A bare relay: the provider's events in, a socket out, nothing kept. Argument: the provider. Prints its address. */
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

const [provider = ''] = process.argv.slice(2)
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })

server.on('connection', (socket) => {
  socket.on('message', (data) => {
    const { id, text } = JSON.parse(String(data))
    const body = { model: 'stamped', max_tokens: 4_096, stream: true, messages: [{ role: 'user', content: text }] }
    const asking = request(`${provider}/messages`, { method: 'POST', headers: { 'content-type': 'application/json' } })
    asking.on('response', (answer: IncomingMessage) => {
      let rest = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        const events = (rest + piece).split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events) {
          const parsed = JSON.parse(event.slice(event.indexOf('data: ') + 6))
          if (parsed.type === 'content_block_delta') socket.send(JSON.stringify({ id, text: parsed.delta.text }))
        }
      })
      answer.on('end', () => socket.send(JSON.stringify({ id, done: true })))
    })
    asking.end(JSON.stringify(body))
  })
})
server.on('listening', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `ws://127.0.0.1:${port}` }))
})
process.on('disconnect', () => process.exit())
