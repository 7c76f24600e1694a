import { spawn } from 'node:child_process'
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
 * `show` says where its output goes: `inherit` keeps both streams, `stderr` moves its stdout to stderr.
 * Resolves to the exit code (128 + n after signal n) and the last 20,000 characters of output, which are kept with `stderr` only.
 */
export function runChild({ command, args, env, show }) {
  return new Promise((resolve, reject) => {
    const stdio = show === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe']
    const child = spawn(command, args, { cwd: ROOT, env, stdio })
    let tail = ''
    const keep = (chunk) => {
      process.stderr.write(chunk)
      tail = (tail + chunk).slice(-TAIL_CHARACTERS)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const stopForwarding = forwardSignals(child)
    child.on('error', (error) => {
      stopForwarding()
      reject(error)
    })
    child.on('close', (code, signal) => {
      stopForwarding()
      resolve({ exitCode: code ?? 128 + (constants.signals[signal] ?? 0), tail })
    })
  })
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
