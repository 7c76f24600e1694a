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
