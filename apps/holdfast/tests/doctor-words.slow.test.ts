import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { remedyOf } from '../src/cli/acts/doctor-places.ts'

/** Root writes everywhere: then the program runs without that right. */
const AS_ANYBODY =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] : []

test('[CLI52] the doctor says that a data folder cannot be made, and that one can', async () => {
  const base = await mkdtemp(join(tmpdir(), 'holdfast-doctor-'))
  const closed = await mkdtemp(join(base, 'closed-'))
  await chmod(closed, 0o500)
  try {
    expect(await doctorOf(join(closed, 'a', 'b'))).toMatchObject({
      state: 'failed',
      text: expect.stringContaining(`cannot be made: ${closed} cannot be written`),
    })
    expect(await doctorOf(join(base, 'open', 'b'))).toMatchObject({
      state: 'warning',
      remedy: 'The first start makes it.',
    })
  } finally {
    await rm(base, { recursive: true })
  }
}, 120_000)

test('[CLI52] what keeps commands from a network has the remedy that helps', () => {
  expect(remedyOf('slirp4netns is not installed')).toBe('Install slirp4netns')
  expect(remedyOf('ip (iproute2) is not installed')).toBe('Install ip (iproute2)')
  const closed = 'slirp4netns does not work here: slirp4netns ended with 1: open("/dev/net/tun"): Permission denied'
  expect(remedyOf(closed)).toBe('Let the user of this program open /dev/net/tun')
  expect(remedyOf('bwrap: Creating new namespace failed')).toBe('Allow what is named there')
})

async function doctorOf(dataDir: string): Promise<unknown> {
  const main = join(import.meta.dirname, '..', 'bin', 'holdfast.js')
  const asked = [process.execPath, main, 'doctor', '--json', '--no-detect', '--data-dir', dataDir]
  const [program = '', ...args] = [...AS_ANYBODY, ...asked]
  const { PATH, HOME } = process.env
  const child = spawn(program, args, { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'inherit'] })
  let told = ''
  child.stdout.on('data', (piece) => {
    told += piece
  })
  await new Promise((resolve) => child.on('close', resolve))
  return JSON.parse(told).findings.find(({ group }: { readonly group: string }) => group === 'data folder')
}
