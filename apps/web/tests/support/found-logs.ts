import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Puts two conversations into a home as Claude Code leaves them. */
export async function writeFoundLogs(home: string): Promise<void> {
  const folder = join(home, '.claude', 'projects', '-home-me-shop')
  await mkdir(folder, { recursive: true })
  for (const [index, asked] of ['What is a holdfast?', 'And kelp?'].entries()) {
    const lines = [
      { type: 'user', message: { role: 'user', content: asked } },
      {
        type: 'assistant',
        message: { role: 'assistant', id: 'm', model: 'c', content: [{ type: 'text', text: 'Rooted.' }] },
      },
    ].map((line, at) => ({ sessionId: `s${index}`, uuid: `u${at}`, parentUuid: at === 0 ? null : 'u0', ...line }))
    await writeFile(join(folder, `s${index}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
}

/** Puts a conversation into a home as Codex leaves it. */
export async function writeCodexLog(home: string): Promise<void> {
  const folder = join(home, '.codex', 'sessions', '2026')
  await mkdir(folder, { recursive: true })
  const timestamp = '2026-11-27T10:00:00.000Z'
  const said = (role: string, type: string, text: string): object => ({
    timestamp,
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type, text }] },
  })
  const lines = [
    { timestamp, type: 'session_meta', payload: { id: 'c0d', timestamp, cwd: '/p', originator: 'codex' } },
    said('user', 'input_text', 'What holds the kelp?'),
    said('assistant', 'output_text', 'A holdfast.'),
  ]
  await writeFile(join(folder, 'rollout-a.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
