import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTerminals, TERMINAL_LIMITS, type Terminals } from '@holdfast/terminal'
import { createProcessRegister } from '@holdfast/tool/process'
import { endLeftBehind, MARK_VARIABLE, markOf } from '@holdfast/toolbox'
import { type Benchmark, median, timeMs } from '../lib/measure.ts'
import { inTemporaryFolder, systemClock } from '../lib/stores.ts'

const LINES = TERMINAL_LIMITS.scrollbackLines
const WORDS = 'a line of a program that says what it does'
const ROUNDS = 7

/** How soon a page that looks at a terminal again has been sent all that stands before its screen. */
export const terminal: Benchmark = {
  name: 'terminal',
  about: `what is sent of ${LINES} lines of a terminal to a page that looks at it again and reads at once, beside a process that prints the same`,
  run: (report) =>
    inTemporaryFolder(async (folder) => {
      const terminals = open(folder)
      const print = `for at in $(seq ${LINES + 100}); do echo "$at ${WORDS}"; done`
      try {
        const wish = { terminalId: 't1', ownerId: 'ann', conversationId: 'c1', folder, columns: 80, rows: 24 }
        await terminals.open(wish)
        const first = looking(terminals, 'the-""end')
        terminals.input('t1', `${print}; echo the-""end\n`)
        await first.seen
        first.leave()
        const [again, printed]: [number[], number[]] = [[], []]
        for (let round = 0; round < ROUNDS; round += 1) {
          again.push(
            await timeMs(async () => {
              const { seen, leave } = looking(terminals, 'the-end')
              await seen
              leave()
            }),
          )
          printed.push(await timeMs(() => promisify(execFile)('/bin/bash', ['-c', print], { maxBuffer: 10_000_000 })))
        }
        const words = (values: readonly number[]) => values.map((ms) => ms.toFixed(0)).join(', ')
        report(`sent in ${words(again)} ms; printed in ${words(printed)} ms; load ${loadavg()[0]?.toFixed(1)}`)
        const [value, baseline] = [median(again), median(printed)]
        const goal = 'at most 200 ms, in the page'
        return [
          { name: 'terminal, sent', value, unit: 'ms', baseline, ratio: value / baseline, goal, met: value <= 200 },
        ]
      } finally {
        await terminals.close()
      }
    }),
}

/** A page that reads all that it is sent, until it has seen some words at the end. */
function looking(terminals: Terminals, end: string): { readonly seen: Promise<void>; readonly leave: () => void } {
  const seen = Promise.withResolvers<void>()
  let text = ''
  const viewing = terminals.attach('t1', {
    onScreen() {
      text = ''
    },
    onOutput(output) {
      text = `${text.slice(-200)}${output.text}`
      viewing.read(output.end)
      if (text.includes(end.replaceAll('"', ''))) seen.resolve()
    },
    onResize() {},
    onEnd() {},
  })
  return { seen: seen.promise, leave: viewing.detach }
}

function open(folder: string): Terminals {
  const owner = randomUUID()
  return createTerminals({
    clock: systemClock,
    environment: { PATH: process.env['PATH'], HOME: folder, SHELL: '/bin/bash' },
    register: createProcessRegister({ folder: join(folder, 'register'), clock: systemClock, graceMs: 300 }),
    marking(terminalId) {
      const mark = markOf(owner, terminalId)
      return { variables: { [MARK_VARIABLE]: mark }, endAll: () => endLeftBehind(mark, systemClock) }
    },
    onFault(error) {
      throw error
    },
  })
}
