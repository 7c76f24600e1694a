import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs lines in real shells that can reach nothing but stubs, and says which of the stubs ran. */
export interface ShellOracle {
  programsRunBy(shell: string, line: string): readonly string[]
  close(): void
}

/** An oracle with a stub for each name; a stub writes its own name down and succeeds. */
export function openShellOracle(names: readonly string[]): ShellOracle {
  const folder = mkdtempSync(join(tmpdir(), 'shell-oracle-'))
  const bin = join(folder, 'bin')
  const work = join(folder, 'work')
  let runNumber = 0
  mkdirSync(bin)
  for (const name of names) {
    const stub = join(bin, name)
    writeFileSync(stub, `#!/bin/dash\necho ${name} >> "$RAN"\n`)
    chmodSync(stub, 0o755)
  }
  return {
    programsRunBy(shell, line) {
      // Each run has its own file: what an earlier line left in the background writes elsewhere.
      const ran = join(folder, `ran-${++runNumber}`)
      rmSync(work, { recursive: true, force: true })
      mkdirSync(work)
      try {
        execFileSync(shell, ['-c', line], {
          cwd: work,
          env: { PATH: bin, RAN: ran },
          stdio: 'ignore',
          timeout: 2_000,
          killSignal: 'SIGKILL',
        })
      } catch {
        // A line that the shell refuses, or that fails, has run what it has run.
      }
      return existsSync(ran) ? readFileSync(ran, 'utf8').split('\n').filter(Boolean) : []
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
