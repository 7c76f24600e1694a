import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { findMachine, type Machine, usualBounds } from '@holdfast/toolbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from './support/system-clock.ts'
import { testTool } from './support/test-tool.ts'
import { openWorkbench, PLAIN_MACHINE, type Workbench } from './support/workbench.ts'

const places = [testTool('HOLDFAST_BWRAP'), testTool('HOLDFAST_SLIRP4NETNS')].map((path) => dirname(path))
const HOST = `holdfast-outside-${process.pid}`
/** This machine's end of the line to it; several runs at once have lines of their own. */
const NEAR_END = `hf${process.pid}`
/** Public by its number, and reached by nobody from here. */
const NET = `11.77.${process.pid % 256}`
const OUTSIDE = `${NET}.2`

function machineAt(searchPath: string): Promise<Machine> {
  return machineWith('outside', searchPath)
}

function machineWith(network: 'none' | 'outside', searchPath: string): Promise<Machine> {
  return findMachine({
    environment: { ...PLAIN_MACHINE.environment, PATH: searchPath },
    owner: 'tests',
    register: null,
    network,
    visible: { readable: [], links: [], hiddenFolders: [] },
    groupNotes: null,
    bounds: usualBounds(),
    clock: systemClock,
    signal: new AbortController().signal,
  })
}

interface Listener {
  readonly port: number
  readonly connectionCount: () => number
  close(): void
}

function listen(host: string): Promise<Listener> {
  let count = 0
  const server = createServer((socket) => {
    count++
    socket.on('error', () => {})
    socket.end('hello from this machine')
  })
  return new Promise((resolve) => {
    server.listen(0, host, () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      resolve({ port, connectionCount: () => count, close: () => void server.close() })
    })
  })
}

const asking = (host: string, port: number): string => `timeout 5 bash -c 'exec 3<>/dev/tcp/${host}/${port} && cat <&3'`

/** Those that run. */
function backgroundIds(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.includes(': running')).map((line) => line.split(':')[0] ?? '')
}

/** Sockets at which a process or one that it started listens: addresses and paths. */
function listenersOf(pid: number): readonly string[] {
  const all = [pid, ...childrenOf(pid)]
  return all.flatMap((one) => {
    const sockets = new Set(
      readdirSync(`/proc/${one}/fd`).flatMap(
        (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${one}/fd/${fd}`))?.[1] ?? [],
      ),
    )
    const rows = (name: string): string[] => readFileSync(`/proc/${one}/net/${name}`, 'utf8').split('\n').slice(1)
    // `number local remote 0A …` of TCP, `address count protocol 00010000 …` of sockets with a path: both listen.
    const tcp = [...rows('tcp'), ...rows('tcp6')].map((row) => row.trim().split(/\s+/)).filter((row) => row[3] === '0A')
    const unix = rows('unix')
      .map((row) => row.trim().split(/\s+/))
      .filter((row) => row[3] === '00010000')
    return [
      ...tcp.filter((row) => sockets.has(row[9] ?? '')).map((row) => row[1] ?? ''),
      ...unix.filter((row) => sockets.has(row[6] ?? '')).map((row) => row[7] ?? ''),
    ]
  })
}

function childrenOf(pid: number): readonly number[] {
  const ids = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(pid)], { encoding: 'utf8' })
  return ids
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.endsWith(' ps'))
    .map((line) => Number.parseInt(line, 10))
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

describe('a sandbox that reaches the outside', () => {
  let bench: Workbench
  beforeAll(async () => {
    bench = await openWorkbench({ machine: await machineAt([...places, '/usr/bin', '/bin'].join(':')) })
  })
  afterAll(() => bench.close())

  it('[SEC8] says so', () => {
    expect(bench.own.describe()).toContain('They reach the public internet, and neither services of this machine')
  })

  it('[SEC8] has this machine closed, at its loopback and at every address of its own', async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).filter(({ scopeid }) => !scopeid))
    for (const { address } of own) {
      const listener = await listen(address)
      expect(await bench.say('shell', { command: asking(address, listener.port) }), address).toContain('error:')
      expect(listener.connectionCount()).toBe(0)
      listener.close()
    }
    // The door by which such networks show the loopback of their machine.
    const listener = await listen('127.0.0.1')
    for (const door of ['10.0.2.2', '10.0.2.3', '0.0.0.0', '127.1.2.3'])
      expect(await bench.say('shell', { command: asking(door, listener.port) }), door).toContain('error:')
    expect(listener.connectionCount()).toBe(0)
    listener.close()
  })

  it('[SEC8] has private networks and the services of a cloud closed, also for one who names the device', async () => {
    const closed = ['169.254.169.254', '10.1.2.3', '172.16.0.9', '192.168.1.1', '100.100.100.200', '168.63.129.16']
    for (const address of closed) {
      const said = await bench.say('shell', { command: asking(address, 80) })
      expect(said, address).toMatch(/Permission denied|No route to host/)
    }
    const listener = await listen('0.0.0.0')
    const own = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).filter(({ family }) => family === 'IPv4'),
    )
    for (const { address } of own) {
      const program = `use Socket; socket(S, PF_INET, SOCK_STREAM, 0); setsockopt(S, SOL_SOCKET, 25, "tap0\\0") or die; alarm 4; connect(S, sockaddr_in(${listener.port}, inet_aton("${address}"))) or die; print <S>`
      expect(await bench.say('shell', { command: `perl -e '${program}'` }), address).toContain('error:')
    }
    expect(listener.connectionCount()).toBe(0)
    listener.close()
    for (const command of [
      'ip route del prohibit 10.0.0.0/8',
      'ip addr add 10.9.9.9/8 dev tap0',
      'ip link set tap0 down',
    ])
      expect(await bench.say('shell', { command }), command).toContain('error:')
  })

  it('[SEC8] has sockets of this machine without a path closed, which only the network host shows', async () => {
    const name = `holdfast-test-${process.pid}`
    let count = 0
    const server = createServer((socket) => {
      count++
      socket.end('hello from this machine')
    })
    await new Promise<void>((resolve) => server.listen(`\0${name}`, resolve))
    const program = `use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack("S a*", 1, "\\0${name}")) or die "no: $!"; print <S>`
    const command = `perl -e '${program}'`
    expect(await bench.say('shell', { command })).toContain('no: Connection refused')
    expect(count).toBe(0)
    const machine = await machineAt([...places, '/usr/bin', '/bin'].join(':'))
    if (machine.sandbox.type === 'none') throw new Error('There is no sandbox here')
    const open = await openWorkbench({
      machine: { ...machine, sandbox: { ...machine.sandbox, network: { type: 'host' } } },
    })
    expect(await open.say('shell', { command })).toContain('hello from this machine')
    await open.close()
    server.close()
  })

  /** Begins a command in the background, and waits until it says that it listens: a busy machine has not seen it when the call returns. @returns its id. */
  async function untilUp(command: string): Promise<string> {
    const begun = await bench.say('shell', { command, background: true })
    const processId = /process-\d+/.exec(begun)?.[0] ?? ''
    if (!begun.includes('up'))
      await expect
        .poll(() => bench.say('process_output', { process_id: processId }), { timeout: 20_000 })
        .toContain('up')
    return processId
  }

  it('[SEC8] lets commands of a conversation reach each other, and those of no other', async () => {
    const command =
      "perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => q(127.0.0.1), LocalPort => 4711) or die; $| = 1; print qq(up\\n); while ($c = $s->accept) { print $c qq(hello from a command\\n); close $c }'"
    const processId = await untilUp(command)
    expect(await bench.say('shell', { command: asking('127.0.0.1', 4711) })).toContain('hello from a command')
    const other = await openWorkbench({ machine: await machineAt([...places, '/usr/bin', '/bin'].join(':')) })
    expect(await other.say('shell', { command: asking('127.0.0.1', 4711) })).toContain('error:')
    await other.close()
    expect(await bench.say('process_stop', { process_id: processId })).toContain('Stopped')
  })

  const greeter = (port: number): string =>
    `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => q(127.0.0.1), LocalPort => ${port}) or die; $| = 1; print qq(up\\n); while ($c = $s->accept) { print $c qq(hello\\n); print $c scalar <$c>; close $c }'`
  const greeted = async (socket: Socket): Promise<string> => {
    socket.write('and back\n')
    let text = ''
    for await (const piece of socket) text += String(piece)
    return text
  }

  it('[SEC13] opens a port of a command to this process, which nobody else reaches', async () => {
    const port = 4712
    const processId = await untilUp(greeter(port))
    const before = listenersOf(process.pid)
    const forward = await bench.own.forwardPort({ processId, port })
    const signal = new AbortController().signal
    const both = await Promise.all([forward.connect(signal), forward.connect(signal)])
    expect(await Promise.all(both.map(greeted))).toEqual(['hello\nand back\n', 'hello\nand back\n'])
    // Another process of this machine, of whatever account, has neither a port nor a path to come in by.
    expect(() => execFileSync('bash', ['-c', asking('127.0.0.1', port)], { stdio: 'ignore', timeout: 5_000 })).toThrow()
    expect(listenersOf(process.pid)).toEqual(before)
    const other = await openWorkbench({ machine: await machineAt([...places, '/usr/bin', '/bin'].join(':')) })
    expect(await other.say('shell', { command: asking('127.0.0.1', port) })).toContain('error:')
    await other.close()

    const last = await forward.connect(signal)
    const over = new Promise<void>((resolve) => last.once('close', () => resolve()))
    await bench.say('process_stop', { process_id: processId })
    await over
    await expect(forward.connect(signal)).rejects.toMatchObject({ code: 'closed', port })
    await expect(bench.own.forwardPort({ processId, port })).rejects.toMatchObject({ code: 'no-such-process' })
    await forward.close()
    expect(execFileSync('ps', ['-o', 'args', '--ppid', String(process.pid)], { encoding: 'utf8' })).not.toMatch(
      /port-relay|slirp4netns/,
    )
  })

  it('[SEC13] says where nobody listens, and opens none where each command has a network of its own', async () => {
    const signal = new AbortController().signal
    await bench.say('shell', { command: 'echo up; sleep 60', background: true })
    const [processId = ''] = backgroundIds((await bench.say('process_output', {})).split('\n'))
    const forward = await bench.own.forwardPort({ processId, port: 4713 })
    await expect(forward.connect(signal)).rejects.toThrow(
      'No command answers at port 4713 of 127.0.0.1 or ::1 (ECONNREFUSED)',
    )
    const stopped = new AbortController()
    stopped.abort()
    await expect(forward.connect(stopped.signal)).rejects.toMatchObject({ code: 'not-listening' })
    await forward.close()
    await bench.say('process_stop', { process_id: processId })
    const machine = await machineAt([...places, '/usr/bin', '/bin'].join(':'))
    if (machine.sandbox.type === 'none') throw new Error('There is no sandbox here')
    const none = { type: 'none', reason: null, programs: null } as const
    const alone = await openWorkbench({ machine: { ...machine, sandbox: { ...machine.sandbox, network: none } } })
    await alone.say('shell', { command: 'sleep 60', background: true })
    await expect(alone.own.forwardPort({ processId: 'process-1', port: 4713 })).rejects.toMatchObject({
      code: 'no-network',
    })
    await alone.close()
  })

  it('[SEC8] leaves nothing of the network behind', async () => {
    expect(await bench.say('shell', { command: 'true' })).toContain('ok:')
    expect(execFileSync('ps', ['-o', 'args', '--ppid', String(process.pid)], { encoding: 'utf8' })).not.toMatch(
      /slirp4netns|bwrap/,
    )
  })

  it.runIf(process.getuid?.() === 0)('[SEC8] reaches a host that is outside', async () => {
    const ip = (words: string): string => execFileSync('sh', ['-c', `ip ${words}`], { encoding: 'utf8' })
    const server =
      "perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalPort => 80) or die; while ($c = $s->accept) { print $c qq(hello from outside\\n); close $c }'"
    ip(`netns add ${HOST}`)
    const child = execFileSync('sh', [
      '-c',
      `ip link add ${NEAR_END} type veth peer name hfout1 netns ${HOST} && ip addr add ${NET}.1/30 dev ${NEAR_END} && ip link set ${NEAR_END} up && ` +
        `ip netns exec ${HOST} ip addr add ${OUTSIDE}/30 dev hfout1 && ip netns exec ${HOST} ip link set hfout1 up && ` +
        `(ip netns exec ${HOST} ${server} > /dev/null 2>&1 & echo $!)`,
    ])
    try {
      const command = `for n in 1 2 3 4 5 6 7 8 9 10; do ${asking(OUTSIDE, 80)} && exit 0; sleep 0.3; done; exit 1`
      expect(await bench.say('shell', { command })).toContain('hello from outside')
      // The other end of that line is this machine, under an address that is public by its number.
      const own = await listen(`${NET}.1`)
      expect(await bench.say('shell', { command: asking(`${NET}.1`, own.port) })).toContain('error:')
      own.close()
    } finally {
      process.kill(Number(child.toString('utf8')))
      ip(`link del ${NEAR_END}`)
      ip(`netns del ${HOST}`)
    }
  })
})

describe('a sandbox without a network', () => {
  it('[SEC8, SEC13] lets commands of a conversation reach each other and the server reach them, and nothing else', async () => {
    const machine = await machineWith('none', [...places, '/usr/bin', '/bin'].join(':'))
    const bench = await openWorkbench({ machine })
    expect(bench.own.describe()).toContain('They have no network but each other.')
    const command =
      "perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => q(127.0.0.1), LocalPort => 4714) or die; $| = 1; print qq(up\\n); while ($c = $s->accept) { print $c qq(hello from a command\\n); close $c }'"
    expect(await bench.say('shell', { command, background: true })).toContain('up')
    expect(await bench.say('shell', { command: asking('127.0.0.1', 4714) })).toContain('hello from a command')
    const forward = await bench.own.forwardPort({ processId: 'process-1', port: 4714 })
    const socket = await forward.connect(new AbortController().signal)
    let text = ''
    for await (const piece of socket) text += String(piece)
    expect(text).toBe('hello from a command\n')
    const listener = await listen('0.0.0.0')
    const own = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).filter(({ family }) => family === 'IPv4'),
    )
    for (const { address } of own)
      expect(await bench.say('shell', { command: asking(address, listener.port) }), address).toContain('error:')
    expect(await bench.say('shell', { command: 'tail -n +2 /proc/net/route | wc -l' })).toMatch(/\n0\n/)
    expect(listener.connectionCount()).toBe(0)
    listener.close()
    const other = await openWorkbench({ machine })
    expect(await other.say('shell', { command: asking('127.0.0.1', 4714) })).toContain('error:')
    await other.close()
    await bench.close()
  })
})

describe('a sandbox that cannot reach the outside', () => {
  it('[SEC8, RUN13] has no network, and says why to the model and to the person', async () => {
    const first = await openWorkbench()
    const fake = first.put('bin/slirp4netns', '#!/bin/sh\necho no device here >&2\nexit 1\n')
    chmodSync(fake, 0o755)
    const machine = await machineAt([dirname(fake), ...places, '/usr/bin', '/bin'].join(':'))
    const bench = await openWorkbench({ machine })
    const why = `though the public internet was asked for: slirp4netns does not work here: ${fake} ended with 1: no device here.`
    expect(bench.tool('shell').definition.description).toContain(`They have NO network, ${why}`)
    expect(bench.tool('shell').notice).toMatchObject({ code: 'no-network', text: `Commands have no network, ${why}` })
    const listener = await listen('127.0.0.1')
    expect(await bench.say('shell', { command: asking('127.0.0.1', listener.port) })).toContain('error:')
    listener.close()
    await bench.close()
    await first.close()
  })
})
