import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { findMachine, type Machine, openWorkspace, usualBounds, type Workspace } from '@holdfast/toolbox'
import { onTestFinished } from 'vitest'

/** A folder with these files, gone with the test. */
export function folderWith(files: Readonly<Record<string, string>>): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-preview-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  return openWorkspace({ root, closed: [] })
}

/** This machine with its sandbox, and a network of their own for commands. `owner` marks what they start. */
export async function machineOf(owner: string, network: 'none' | 'host'): Promise<Machine & { readonly bash: string }> {
  const machine = await findMachine({
    environment: { PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` },
    owner,
    register: null,
    network,
    bounds: usualBounds(),
    groupNotes: null,
    visible: { readable: [process.execPath], links: [], hiddenFolders: [] },
    clock: systemClock,
    signal: new AbortController().signal,
  })
  if (machine.bash === null) throw new Error('These tests need bash')
  return { ...machine, bash: machine.bash }
}
