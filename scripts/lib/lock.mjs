import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { SETUP_FOLDER } from './places.mjs'
import { SetupError, say } from './say.mjs'

const LOOK_AGAIN_MS = 500
const LONGEST_WAIT_MS = 15 * 60_000

/** Does one piece of set-up while no other command of this clone does the same; a lock left by a dead process is taken over. */
export async function withLock(name, work) {
  const path = join(SETUP_FOLDER, `${name}.lock`)
  await take(path, name)
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

async function take(path, name) {
  const deadline = Date.now() + LONGEST_WAIT_MS
  let told = false
  mkdirSync(SETUP_FOLDER, { recursive: true })
  while (!tryTake(path)) {
    const owner = ownerOf(path)
    if (owner === undefined) {
      rmSync(path, { force: true })
      continue
    }
    if (Date.now() > deadline) {
      throw new SetupError(`Process ${owner} has held ${path} for too long: end it, or delete that file.`, 1)
    }
    if (!told) say(`waiting for ${name}, which process ${owner} is doing`)
    told = true
    await wait(LOOK_AGAIN_MS)
  }
}

function tryTake(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** The process that holds the lock, or undefined when there is none or it is dead. */
function ownerOf(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    if (!Number.isInteger(pid) || pid <= 0) return undefined
    process.kill(pid, 0)
    return pid
  } catch (error) {
    if (error.code === 'EPERM') return Number(readFileSync(path, 'utf8'))
    if (error.code === 'ESRCH' || error.code === 'ENOENT') return undefined
    throw error
  }
}
