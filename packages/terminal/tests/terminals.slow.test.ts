import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { createProcessRegister } from '@holdfast/tool/process'
import { endCommandsOf, endLeftBehind, MARK_VARIABLE, markOf } from '@holdfast/toolbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTerminals, TERMINAL_LIMITS, type Terminals, type TerminalViewer } from '../src/index.ts'

let folder = ''
let owner = ''
let terminals: Terminals
let faults: unknown[]

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-terminals-')))
  owner = randomUUID()
  faults = []
  terminals = open({})
})

afterEach(async () => {
  await terminals.close()
  await endCommandsOf(owner, systemClock)
  await rm(folder, { recursive: true })
  expect(faults).toEqual([])
})

function open(more: Readonly<Record<string, string>>): Terminals {
  const register = createProcessRegister({ folder: join(folder, 'register'), clock: systemClock, graceMs: 300 })
  return createTerminals({
    clock: systemClock,
    environment: { PATH: process.env['PATH'], HOME: folder, SHELL: '/bin/bash', ...more },
    register,
    marking(terminalId) {
      const mark = markOf(owner, terminalId)
      return { variables: { [MARK_VARIABLE]: mark }, endAll: () => endLeftBehind(mark, systemClock) }
    },
    onFault: (error) => void faults.push(error),
  })
}

function wish(terminalId: string) {
  return { terminalId, ownerId: 'ann', conversationId: 'c1', folder, columns: 80, rows: 24 }
}

/** A page that draws all that it is sent, unless it sleeps. */
function look(terminalId: string, { sleeps = false } = {}) {
  let text = ''
  let screens = 0
  let unread = 0
  let mostUnread = 0
  let last = 0
  const sizes: unknown[] = []
  const ended = Promise.withResolvers<{ exitCode: number | null }>()
  const waiting = new Set<() => void>()
  const viewer: TerminalViewer = {
    onScreen(size) {
      screens++
      text = ''
      sizes.push(size)
    },
    onOutput({ text: more, end }) {
      text += more
      if (text.length > 400_000) text = text.slice(-200_000)
      unread += more.length
      mostUnread = Math.max(mostUnread, unread)
      last = end
      if (!sleeps) {
        unread = 0
        attached.read(end)
      }
      for (const check of waiting) check()
    },
    onResize: (size) => void sizes.push(size),
    onEnd: ended.resolve,
  }
  const attached = terminals.attach(terminalId, viewer)
  return {
    ...attached,
    text: () => text,
    screens: () => screens,
    mostUnread: () => mostUnread,
    sizes,
    wake() {
      unread = 0
      attached.read(last)
    },
    ended: ended.promise,
    until: (fits: (text: string) => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!fits(text)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

/** Processes that have this in their command line or environment. */
async function processesWith(words: string): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  const found = await Promise.all(
    names.map(async (name) => {
      const [line, environment] = await Promise.all(
        ['cmdline', 'environ'].map((file) => readFile(`/proc/${name}/${file}`, 'latin1').catch(() => '')),
      )
      return `${line}${environment}`.includes(words) ? [Number(name)] : []
    }),
  )
  return found.flat()
}

test('[WS25] a terminal begins in its folder, and whoever looks later sees the same screen', async () => {
  expect(await terminals.open(wish('t1'))).toMatchObject({ terminalId: 't1', shell: 'bash', folder })
  const first = look('t1')
  terminals.input('t1', 'pwd; echo "a""b"; for i in $(seq 1 200); do echo "line $i"; done; echo fini""shed\n')
  await first.until((text) => text.includes('finished'))
  expect(first.text()).toContain(folder)
  const second = look('t1')
  await second.until((text) => text.includes('finished'))
  for (const said of [folder, 'ab', 'line 1\r', 'line 200']) expect(second.text()).toContain(said)
  expect(await terminals.open(wish('t1'))).toMatchObject({ terminalId: 't1' })
  expect(terminals.list().length).toBe(1)
})

test('[WS25] a program that asks the terminal where the cursor is hears it once, however many pages look on', async () => {
  await terminals.open(wish('t1'))
  const [first] = [look('t1'), look('t1')]
  terminals.input(
    't1',
    `stty -echo; printf '\\e[6n'; read -rsd R one; read -rst 0.3 -n 1 two; echo "got \${#one} <$two>"; stty echo\n`,
  )
  await first?.until((text) => /got [4-7] <>/.test(text))
})

test('[WS25] another size is told to all who look on, and to the program', async () => {
  await terminals.open(wish('t1'))
  const [first, second] = [look('t1'), look('t1')]
  terminals.resize('t1', { columns: 101, rows: 31 })
  terminals.input('t1', 'stty size\n')
  await first?.until((text) => text.includes('31 101'))
  expect(second?.sizes.at(-1)).toMatchObject({ columns: 101, rows: 31 })
  expect(terminals.find('t1')).toMatchObject({ columns: 101, rows: 31 })
})

test('[WS27] what a terminal started ends with it, whatever it left or ignores', async () => {
  const mark = `31${Math.floor(Math.random() * 1e6)}.25`
  await terminals.open(wish('t1'))
  const page = look('t1')
  terminals.input(
    't1',
    `setsid sleep ${mark} & nohup sleep ${mark} & (trap '' HUP TERM; sleep ${mark}) & echo go""ne\n`,
  )
  await page.until((text) => text.includes('gone'))
  await expect.poll(async () => (await processesWith(mark)).length).toBeGreaterThanOrEqual(3)
  await terminals.end('t1')
  expect(await processesWith(mark)).toEqual([])
  expect(await page.ended).toEqual({ exitCode: null })
  expect(terminals.list()).toEqual([])
})

test('[WS27] a shell that ends by itself is told with its exit code', async () => {
  await terminals.open(wish('t1'))
  const page = look('t1')
  terminals.input('t1', 'exit 3\n')
  expect(await page.ended).toEqual({ exitCode: 3 })
})

test('[WS27] nothing is left when the keeper is killed, and the next terminal has another one', async () => {
  const mark = `32${Math.floor(Math.random() * 1e6)}.25`
  await terminals.open(wish('t1'))
  const page = look('t1')
  terminals.input('t1', `setsid sleep ${mark} & echo go""ne\n`)
  await page.until((text) => text.includes('gone'))
  const [keeper] = await processesWith(markOf(owner, 'keeper'))
  process.kill(keeper ?? 0, 'SIGKILL')
  expect(await page.ended).toEqual({ exitCode: null })
  await terminals.end('t1')
  await terminals.open(wish('t2'))
  const next = look('t2')
  terminals.input('t2', 'echo he""re\n')
  await next.until((text) => text.includes('here'))
  expect(await processesWith(mark)).toEqual([])
})

test('[WS28] a flood waits for who draws it, and a page that sleeps holds nobody up and is shown the screen when it wakes', async () => {
  await terminals.open(wish('t1'))
  const awake = look('t1')
  const asleep = look('t1', { sleeps: true })
  terminals.input('t1', `yes "$(printf 'y%.0s' {1..70})" | head -n 60000; echo do""ne\n`)
  await awake.until((text) => text.includes('done'))
  expect(asleep.mostUnread()).toBeLessThanOrEqual(262_144 + 32_769)
  expect(asleep.text()).not.toContain('done')
  asleep.wake()
  await asleep.until((text) => {
    asleep.wake()
    return text.includes('done')
  })
  expect(asleep.screens()).toBeGreaterThanOrEqual(2)
})

test('[WS29] secrets of the server are not in a terminal, and bytes that are no text do no harm', async () => {
  await terminals.close()
  terminals = open({ OPENAI_API_KEY: 'sk-secret-of-the-server' })
  await terminals.open(wish('t1'))
  const page = look('t1')
  terminals.input(
    't1',
    `env | grep -c secret; printf '\\xff\\xfe\\xc3(\\xf0\\x9f\\x98\\x80 ä 日本\\n'; head -c 20000 /dev/urandom; reset; echo do""ne\n`,
  )
  await page.until((text) => text.includes('done'))
  expect(page.text().isWellFormed()).toBe(true)
  expect(await processesWith('sk-secret-of-the-server')).toEqual([])
})

test('[WS29] a conversation has few terminals, and too many are refused in words', async () => {
  for (let at = 0; at < TERMINAL_LIMITS.perConversation; at++) await terminals.open(wish(`t${at}`))
  await expect(terminals.open(wish('one-more'))).rejects.toMatchObject({ code: 'too-many' })
  await terminals.end('t0')
  expect(await terminals.open(wish('one-more'))).toMatchObject({ terminalId: 'one-more' })
})

test('[WS29] a server has few terminals, whosever they are', async () => {
  for (let at = 0; at < TERMINAL_LIMITS.perServer; at++)
    await terminals.open({ ...wish(`t${at}`), conversationId: `c${Math.floor(at / TERMINAL_LIMITS.perConversation)}` })
  const elsewhere = { ...wish('one-more'), conversationId: 'elsewhere' }
  await expect(terminals.open(elsewhere)).rejects.toMatchObject({ code: 'too-many' })
  await terminals.end('t0')
  expect(await terminals.open(elsewhere)).toMatchObject({ terminalId: 'one-more' })
})

test('[WS29] a folder that is gone is said, and the keeper lives', async () => {
  const open = terminals.open({ ...wish('t1'), folder: join(folder, 'gone') })
  await open.then(
    (facts) => look(facts.terminalId).ended,
    (error: unknown) => expect(error).toMatchObject({ code: 'not-started' }),
  )
  expect(await terminals.open(wish('t2'))).toMatchObject({ terminalId: 't2' })
})
