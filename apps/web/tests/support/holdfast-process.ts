import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './root.ts'

/** A real Holdfast in a process of its own. */
export interface HoldfastProcess {
  readonly url: string
  readonly token: string
  readonly port: number
  /** Asks it to end. @returns its exit code. */
  end(): Promise<number | null>
  /** Ends it without asking. */
  kill(): Promise<void>
}

/** Root reads everything: the program that runs behind this has only the rights that the modes of files give. */
const WITH_USUAL_RIGHTS =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] : []

/** Starts `holdfast start` on a data folder; port 0 takes any. Variables are added to those of the tests; one that says where Ollama is has it looked for. */
export async function startHoldfast(
  dataDir: string,
  port: number,
  variables: Readonly<Record<string, string>> = {},
  { usualRights }: { readonly usualRights: boolean } = { usualRights: false },
): Promise<HoldfastProcess> {
  const args = [
    'start',
    '--json',
    '--no-open',
    ...(variables['OLLAMA_HOST'] === undefined ? ['--no-detect'] : []),
    '--port',
    String(port),
    '--data-dir',
    dataDir,
  ]
  const started = [process.execPath, join(ROOT, 'apps', 'holdfast', 'bin', 'holdfast.js'), ...args]
  const [program = process.execPath, ...rest] = usualRights ? [...WITH_USUAL_RIGHTS, ...started] : started
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
  })
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const line = await Promise.race([
    firstLine(child),
    exited.then((code) => Promise.reject(new Error(`holdfast ended with ${code} before it was ready`))),
  ])
  const ready = JSON.parse(line) as { url: string; token: string }
  return {
    ...ready,
    port: Number(new URL(ready.url).port),
    end() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout?.on('data', (piece) => {
      text += piece
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
  })
}
