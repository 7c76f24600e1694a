import { execFileSync, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'

import { ROOT } from './places.mjs'

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** A terminal sends one Ctrl+C to every process of the group, and npm sends it once more: within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000

let interruption

const TAIL_CHARACTERS = 20_000

const BIN = join(ROOT, 'node_modules', '.bin')

/** The environment of everything that is run on the installed Node: `node` means that one. */
export function environment(extra) {
  return { ...process.env, PATH: [BIN, pathWithoutBin()].join(delimiter), ...extra }
}

/** The environment for npm itself, which must not run on the Node that it is about to replace. */
export function environmentOfNpm() {
  return { ...process.env, PATH: pathWithoutBin() }
}

function pathWithoutBin() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== BIN)
    .join(delimiter)
}

/**
 * Runs a program in the root of the repository and waits for its end; signals that reach this process reach the child.
 * `show` says where its output goes: `inherit` keeps both streams, `stderr` moves its stdout to stderr, `failure` shows it there at the end
 * of a child that failed, and nothing of one that did what it should.
 * After `limitMs` milliseconds it is killed with everything that it has started; without a limit it is waited for as long as it runs.
 * Resolves to the exit code (128 + n after signal n), the last 20,000 characters of output, which are not kept with `inherit`, and
 * to the command lines of what was killed at the limit, null where it ended by itself.
 */
export function runChild({ command, args, env, show, limitMs }) {
  return new Promise((resolve, reject) => {
    const stdio = show === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe']
    const child = spawn(command, args, { cwd: ROOT, env, stdio })
    let tail = ''
    const keep = (chunk) => {
      if (show === 'stderr') process.stderr.write(chunk)
      tail = (tail + chunk).slice(-TAIL_CHARACTERS)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const stopForwarding = forwardSignals(child)
    let killed = null
    const endLate = () => {
      killed = killTree(child.pid)
    }
    const limit = limitMs === undefined ? undefined : setTimeout(endLate, limitMs)
    child.on('error', (error) => {
      clearTimeout(limit)
      stopForwarding()
      reject(error)
    })
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      stopForwarding()
      const exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
      if (show === 'failure' && exitCode !== 0) process.stderr.write(tail)
      resolve({ exitCode, tail, killed })
    })
  })
}

/** Kills a process and all that came from it, and returns their command lines. A worker that computes without end hears of nothing else. */
function killTree(root) {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  const processes = rows
    .map((row) => /^ *(\d+) +(\d+) +(.*)$/.exec(row))
    .map(([, pid, parent, line]) => ({ pid: Number(pid), parent: Number(parent), line }))
  const found = processes.filter(({ pid }) => pid === root)
  for (const { pid } of found) found.push(...processes.filter(({ parent }) => parent === pid))
  for (const { pid } of found) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
  return found.map(({ line }) => line)
}

/** The exit code that says which signal interrupted this process while a child was running; undefined when none did. */
export function interruptionCode() {
  return interruption === undefined ? undefined : 128 + constants.signals[interruption]
}

function forwardSignals(child) {
  const lastMs = new Map()
  const forward = (signal) => {
    interruption = signal
    const nowMs = Date.now()
    if (nowMs - (lastMs.get(signal) ?? 0) > SAME_SIGNAL_MS) child.kill(signal)
    lastMs.set(signal, nowMs)
  }
  for (const signal of FORWARDED) process.on(signal, forward)
  return () => {
    for (const signal of FORWARDED) process.off(signal, forward)
  }
}
