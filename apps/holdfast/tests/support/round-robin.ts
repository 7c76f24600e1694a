import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A balancer before several servers: each request goes to the next one, whoever sends it. */
export interface RoundRobin {
  readonly url: string
  stop(): Promise<void>
}

/** Starts HAProxy on a port, from HOLDFAST_HAPROXY or where Debian puts it. Every request has a line of its own to a server. */
export async function startRoundRobin(port: number, urls: readonly string[]): Promise<RoundRobin> {
  const folder = mkdtempSync(join(tmpdir(), 'hf-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const lines = [
    'defaults',
    '  mode http',
    '  option http-server-close',
    '  timeout connect 5s',
    '  timeout client 60s',
    '  timeout server 60s',
    '  timeout tunnel 1h',
    'frontend all',
    `  bind 127.0.0.1:${port}`,
    '  default_backend servers',
    'backend servers',
    '  balance roundrobin',
    ...urls.map((url, index) => `  server replica${index} ${new URL(url).host}`),
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn(findProgram(), ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  for (let look = 0; !(await isOpen(port)); look += 1) {
    if (child.exitCode !== null || look > 500) throw new Error(`HAProxy did not start: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function findProgram(): string {
  const places = [process.env['HOLDFAST_HAPROXY'] ?? '', '/usr/sbin/haproxy', '/usr/local/sbin/haproxy']
  const found = places.find((place) => place !== '' && existsSync(place))
  if (found !== undefined) return found
  throw new Error('No HAProxy was found: install one (Debian: haproxy), or set HOLDFAST_HAPROXY to the program')
}
