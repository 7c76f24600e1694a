import { execFile, spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { Benchmark, Figure } from '../lib/measure.ts'

const run = promisify(execFile)
const ROOT = new URL('../../', import.meta.url).pathname
const USUAL = ['--yes', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']

/** What somebody has who takes the tarball: its size, how soon it is ready, and whom it asks on the network. */
export const packed: Benchmark = {
  name: 'packed',
  about:
    'the tarball of the program: bytes, started by npx in an empty folder for the first time and again, and calls to other computers without a network',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-packed-'))
    try {
      const out = join(folder, 'out')
      await run(process.execPath, ['scripts/package.mjs', out], { cwd: ROOT, maxBuffer: 10_000_000 })
      const tarball = join(out, 'holdfast-0.1.0.tgz')
      // What was fetched once is at hand; what npx installs is not there yet.
      const cache = join(folder, 'cache')
      await mkdir(cache)
      await symlink(join(homedir(), '.npm', '_cacache'), join(cache, '_cacache'))
      const npx = ['npm', 'exec', ...USUAL, `--package=${tarball}`, '--', 'holdfast']
      const environment = {
        ...process.env,
        npm_config_cache: cache,
        PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
      }
      const first = await readyMs(npx, { folder, environment })
      const second = await readyMs(npx, { folder, environment })
      const [installed = ''] = readdirSync(join(cache, '_npx')).map((name) => join(cache, '_npx', name, 'node_modules'))
      const bin = join(installed, 'holdfast', 'bin', 'holdfast.js')
      const own = await readyMs([process.execPath, bin], { folder, environment })
      report(`of the second start ${Math.round(second - own)} ms are npm's`)
      const asked = await askedOthers(bin, folder)
      report(asked.length === 0 ? 'asked nobody' : asked.join('\n'))
      return [
        atMost({ name: 'packed: tarball', value: statSync(tarball).size, unit: 'bytes', goal: 12_000_000 }),
        atMost({
          name: 'packed: installed, without optional parts',
          value: await bytesIn(installed),
          unit: 'bytes',
          goal: 150_000_000,
        }),
        atMost({ name: 'packed: ready, the first time', value: first, unit: 'ms', goal: 20_000 }),
        {
          ...atMost({ name: 'packed: ready, our process', value: own, unit: 'ms', goal: 1_500 }),
          baseline: second,
          ratio: own / second,
        },
        atMost({ name: 'packed: calls to other computers', value: asked.length, unit: 'calls', goal: 0 }),
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

function atMost({
  name,
  value,
  unit,
  goal,
}: Pick<Figure, 'name' | 'value' | 'unit'> & { readonly goal: number }): Figure {
  return {
    name,
    value,
    unit,
    baseline: null,
    ratio: null,
    goal: `at most ${goal.toLocaleString('en')} ${unit}`,
    met: value <= goal,
  }
}

/** From the command to the line that says that it is ready, in milliseconds. */
async function readyMs(
  [command = '', ...args]: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
): Promise<number> {
  const place = await mkdtemp(join(folder, 'place-'))
  const begun = performance.now()
  const start = ['start', '--json', '--no-open', '--port', '0', '--data-dir', join(place, 'data')]
  const child = spawn(command, [...args, ...start], {
    cwd: place,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    void ended.then((code) => reject(new Error(`${command} ended with ${String(code)}`)))
  })
  const ms = performance.now() - begun
  // npx has a child of its own: the group ends.
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await ended
  return ms
}

/** Connections to addresses of other computers that a start and a reply of the demo try in a network of their own. */
async function askedOthers(bin: string, folder: string): Promise<readonly string[]> {
  const trace = join(folder, 'trace')
  const script = join(folder, 'alone.sh')
  const holdfast = `"${process.execPath}" "${bin}"`
  const data = join(folder, 'alone')
  await writeFile(
    script,
    `ip link set lo up
${holdfast} start --json --no-open --port 0 --data-dir "${data}" > "${folder}/ready" &
until [ -s "${folder}/ready" ]; do kill -0 $! || exit 1; sleep 0.1; done
${holdfast} run --data-dir "${data}" 'Say hello' < /dev/null || exit 1
kill $!; wait
`,
  )
  await run(
    'unshare',
    [
      '--net',
      '--map-root-user',
      'strace',
      '-f',
      '-qq',
      '-e',
      'trace=connect,sendto,sendmsg',
      '-o',
      trace,
      'sh',
      script,
    ],
    { maxBuffer: 10_000_000 },
  )
  const lines = (await readFile(trace, 'utf8')).split('\n')
  return lines.filter((line) => /AF_INET/.test(line) && !/"(?:127\.[\d.]+|::1|::ffff:127\.[\d.]+)"/.test(line))
}

/** What is installed beside the parts that may be missing. */
async function bytesIn(folder: string): Promise<number> {
  const { packages } = JSON.parse(await readFile(join(folder, '.package-lock.json'), 'utf8'))
  const optional = Object.keys(packages).filter((at) => packages[at].optional === true)
  const isOptional = (path: string): boolean => optional.some((at) => `node_modules/${path}/`.startsWith(`${at}/`))
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !isOptional(relative(folder, file.parentPath)))
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}
