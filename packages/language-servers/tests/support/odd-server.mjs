// A language server that does what its folder says in `odd.txt`, read anew for each message.
import { readFileSync, writeFileSync } from 'node:fs'

const how = () => readFileSync('odd.txt', 'utf8').trim()
let held = Buffer.alloc(0)
process.stdin.on('data', (bytes) => {
  held = Buffer.concat([held, bytes])
  for (let end = held.indexOf('\r\n\r\n'); end >= 0; end = held.indexOf('\r\n\r\n')) {
    const length = Number(/\d+/.exec(held.subarray(0, end).toString())[0])
    if (held.byteLength < end + 4 + length) return
    const message = JSON.parse(held.subarray(end + 4, end + 4 + length).toString())
    held = held.subarray(end + 4 + length)
    if (message.method === 'initialized') begun()
    if (message.method !== undefined && message.id !== undefined) answer(message)
  }
})

function begun() {
  writeFileSync('begun.txt', '')
  const registrations = [{ id: 'one', method: 'textDocument/diagnostic' }]
  if (how() === 'later') send({ id: 1, method: 'client/registerCapability', params: { registrations } })
}

function answer({ id, method }) {
  const odd = how()
  if (method === 'initialize' && odd !== 'hang-at-start')
    return send({
      id,
      result: { capabilities: odd === 'no-pull' || odd === 'later' ? {} : { diagnosticProvider: {} } },
    })
  if (method !== 'textDocument/diagnostic') return
  if (odd === 'crash') process.exit(3)
  if (odd === 'no-message') return process.stdout.write('Content-Length: 99999999999\r\n\r\n')
  if (odd === 'again') return send({ id, error: { code: -32802, message: 'again' } })
  if (odd === 'well' || odd === 'later') return send({ id, result: { kind: 'full', items: [] } })
}

function send(message) {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message })
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}
