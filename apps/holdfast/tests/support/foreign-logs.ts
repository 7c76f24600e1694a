/** What one session of another program said. */
export interface ForeignSession {
  readonly sessionId: string
  readonly asked: string
}

/** A session log of Claude Code with one question and its answer. */
export function claudeCodeLog({ sessionId, asked }: ForeignSession): string {
  const said = [
    { type: 'user', message: { role: 'user', content: asked } },
    {
      type: 'assistant',
      message: {
        role: 'assistant',
        id: 'm',
        model: 'claude',
        content: [{ type: 'text', text: 'An answer from elsewhere' }],
      },
    },
  ]
  return said
    .map((record, index) => ({
      sessionId,
      uuid: `${sessionId}-${index}`,
      parentUuid: index === 0 ? null : `${sessionId}-0`,
      ...record,
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

/** A rollout of Codex with one question and its answer. */
export function codexLog({ sessionId, asked }: ForeignSession): string {
  const timestamp = '2026-11-27T10:00:00.000Z'
  const message = (role: string, type: string, text: string) => ({
    timestamp,
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type, text }] },
  })
  return [
    {
      timestamp,
      type: 'session_meta',
      payload: { id: sessionId, timestamp, cwd: '/p', originator: 'codex', cli_version: '1' },
    },
    message('user', 'input_text', asked),
    message('assistant', 'output_text', 'An answer from elsewhere'),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}
