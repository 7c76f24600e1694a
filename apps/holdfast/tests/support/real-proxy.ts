import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A proxy of the guide. */
export type ProxyName = 'nginx' | 'Caddy' | 'HAProxy'

/** A proxy that runs. */
export interface RealProxy {
  stop(): Promise<void>
}

interface Kind {
  readonly fence: string
  readonly variable: string
  readonly places: readonly string[]
  /** The whole configuration around what the guide says. */
  whole(block: string, folder: string): string
  args(file: string, folder: string): readonly string[]
}

const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'proxies.md')

const KINDS: Readonly<Record<ProxyName, Kind>> = {
  nginx: {
    fence: 'nginx',
    variable: 'HOLDFAST_NGINX',
    places: ['/usr/sbin/nginx'],
    whole: (block, folder) => {
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      return `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${places.join(' ')}\n${block}\n}`
    },
    args: (file, folder) => ['-c', file, '-p', folder, '-e', 'stderr'],
  },
  Caddy: {
    fence: 'caddyfile',
    variable: 'HOLDFAST_CADDY',
    places: ['/usr/bin/caddy'],
    whole: (block) => `{\n  admin off\n  auto_https off\n}\n${block}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  HAProxy: {
    fence: 'haproxy',
    variable: 'HOLDFAST_HAPROXY',
    places: ['/usr/sbin/haproxy'],
    whole: (block) => `${block}\n`,
    args: (file) => ['-db', '-f', file],
  },
}

/** What the guide says of a proxy, with the ports of a test in the place of its own. */
export function blockOf(name: ProxyName, ports: { readonly proxy: number; readonly server: string }): string {
  const { fence } = KINDS[name]
  const block = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(PAGE, 'utf8'))?.[1]
  if (block === undefined) throw new Error(`docs/proxies.md has no block of ${fence}`)
  return block
    .replaceAll('127.0.0.1:4747', new URL(ports.server).host)
    .replace(/^( *(?:listen |bind :|:))80\b/m, (_, before: string) => `${before}${ports.proxy}`)
}

/** The file of the repository for HAProxy before two servers, with the addresses of a test in the place of its own. */
export function shippedBalancer(ports: {
  readonly proxy: number
  readonly first: string
  readonly second: string
}): string {
  const file = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'deploy', 'haproxy.cfg'), 'utf8')
  return file
    .replace('bind :4747', `bind 127.0.0.1:${ports.proxy}`)
    .replace('first:4747', new URL(ports.first).host)
    .replace('second:4747', new URL(ports.second).host)
}

/** Starts a proxy with a configuration, and waits until it listens. */
export async function startProxy(name: ProxyName, { block, port }: { readonly block: string; readonly port: number }) {
  const kind = KINDS[name]
  const folder = mkdtempSync(join(tmpdir(), 'hf-proxy-'))
  const file = join(folder, 'configuration')
  writeFileSync(file, kind.whole(block, folder))
  const child = spawn(programOf(name), kind.args(file, folder), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  try {
    await untilOpen(child, port)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`${name} did not start: ${said}`, { cause: error })
  }
  return {
    async stop() {
      const ended = once(child, 'exit')
      // Some wait for what is open to end.
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  } satisfies RealProxy
}

async function untilOpen(child: ChildProcess, port: number): Promise<void> {
  for (let look = 0; !(await isOpen(port)); look += 1) {
    if (child.exitCode !== null || look > 500) throw new Error(`Nobody listens at ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
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

function programOf(name: ProxyName): string {
  const { variable, places } = KINDS[name]
  const found = [process.env[variable] ?? '', ...places].find((place) => place !== '' && existsSync(place))
  if (found !== undefined) return found
  throw new Error(`No ${name} was found: install one, or set ${variable} to the program`)
}
