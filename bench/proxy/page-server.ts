import { createServer } from 'node:http'
import { parentPort } from 'node:worker_threads'

/** A page's server in a thread of its own: small answers, a document that comes in two parts, a large file, and what takes one. */
const PIECE = Buffer.alloc(65_536, 'x')

const server = createServer((incoming, outgoing) => {
  const sizeBytes = Number(new URL(incoming.url ?? '/', 'http://page').searchParams.get('bytes') ?? 0)
  if (incoming.method === 'POST') {
    let count = 0
    incoming.on('data', (piece: Buffer) => (count += piece.byteLength))
    incoming.on('end', () => outgoing.end(String(count)))
  } else if (sizeBytes > 0) {
    let left = sizeBytes
    const more = (): void => {
      while (left > 0 && outgoing.write(PIECE.subarray(0, Math.min(left, PIECE.byteLength)))) left -= PIECE.byteLength
      if (left > 0) {
        left -= PIECE.byteLength
        outgoing.once('drain', more)
      } else outgoing.end()
    }
    outgoing.writeHead(200, { 'content-type': 'application/octet-stream' })
    more()
  } else if (incoming.url === '/document') {
    outgoing.writeHead(200, { 'content-type': 'text/html' })
    outgoing.write('<!doctype html><html><head><title>first</title>')
    setTimeout(() => outgoing.end('<p>last'), 100)
  } else outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"small":true}')
})
server.listen(0, '127.0.0.1', () => {
  const bound = server.address()
  parentPort?.postMessage(typeof bound === 'object' && bound !== null ? bound.port : 0)
})
