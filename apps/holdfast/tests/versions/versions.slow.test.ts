import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ClientFrame, parseServerFrame } from '@holdfast/protocol'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { startProgram } from '../support/program.ts'
import { runCommand } from '../support/run-command.ts'
import { askAll, KEPT } from './kept-version.ts'

const Frame = z.object({ from: z.enum(['client', 'server']), text: z.string() })

describe.each(readdirSync(KEPT))('what version %s left', (version) => {
  const place = join(KEPT, version)

  /** A copy of its data folder. */
  async function folder(): Promise<string> {
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-version-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    await mkdir(join(dataDir, 'store'))
    await writeFile(
      join(dataDir, 'store', 'holdfast.sqlite'),
      gunzipSync(readFileSync(join(place, 'holdfast.sqlite.gz'))),
    )
    cpSync(join(place, 'holdfast.state.json'), join(dataDir, 'store', 'holdfast.state.json'))
    return dataDir
  }

  it('[PACK10, LOG6] is opened with all that it held: logs, transcripts, figures, canvases, memories and the search', async () => {
    const dataDir = await folder()
    const program = await startProgram(dataDir, {})
    const answers = await askAll(program)
    expect(await program.stop()).toBe(0)
    const kept = JSON.parse(gunzipSync(readFileSync(join(place, 'answers.json.gz'))).toString())
    expect(Object.keys(answers).toSorted()).toEqual(Object.keys(kept).toSorted())
    for (const [path, told] of Object.entries(kept)) expect(answers[path], path).toMatchObject(told as object)
    const { code, stdout } = await runCommand(['db', 'check', '--data-dir', dataDir]).ended
    expect([code, stdout]).toEqual([0, expect.any(String)])
  })

  it('[PACK10, SYNC9] said in frames that are read today, from both sides', () => {
    const lines = gunzipSync(readFileSync(join(place, 'frames.jsonl.gz')))
      .toString()
      .split('\n')
    const frames = lines.map((line) => Frame.parse(JSON.parse(line)))
    const kinds = new Set<string>()
    for (const { from, text } of frames) {
      const read = from === 'client' ? ClientFrame.parse(JSON.parse(text)) : parseServerFrame(text)
      expect(read, text.slice(0, 200)).not.toHaveProperty('unknownType')
      kinds.add(`${from} ${JSON.parse(text).type}`)
    }
    expect(kinds.size).toBeGreaterThan(10)
  })

  it('[PACK10] is refused in words by an older program, which changes nothing', async () => {
    const dataDir = await folder()
    const file = join(dataDir, 'store', 'holdfast.sqlite')
    const database = new Database(file)
    database.pragma('user_version = 999')
    database.close()
    const bytes = readFileSync(file)
    const { code, stderr } = await runCommand(['start', '--no-open', '--port', '0', '--data-dir', dataDir]).ended
    expect(code).not.toBe(0)
    expect(stderr).toContain('is of version 999')
    expect(stderr).toContain('Install a newer Holdfast')
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })
})
