import Database from 'better-sqlite3'

interface Row {
  readonly [column: string]: unknown
}

/**
 * The sessions in a database of opencode as one list in JSON, each as `opencode export` writes it; read in one
 * transaction, so that an opencode that works meanwhile loses nothing and adds nothing. Only tables of sessions are
 * read: keys of accounts lie beside them. Where the database cannot be read on, the list ends there unclosed, so that
 * the import says that it is damaged. [CLI50]
 */
export async function* sessionsInDatabase(path: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from('[')
  let database: Database.Database | null = null
  try {
    database = new Database(path, { readonly: true, fileMustExist: true })
    database.exec('BEGIN')
    const messages = database.prepare<[string], Row>(
      'SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id',
    )
    const parts = database.prepare<[string], Row>('SELECT * FROM part WHERE session_id = ? ORDER BY id')
    const ids = database.prepare<[], { readonly id: string }>('SELECT id FROM session ORDER BY time_created, id').all()
    const session = database.prepare<[string], Row>('SELECT * FROM session WHERE id = ?')
    for (const [at, { id }] of ids.entries()) {
      const found = session.get(id)
      if (found === undefined) continue
      const whole = sessionOf(found, { messages: messages.all(id), parts: parts.all(id) })
      yield Buffer.from(`${at === 0 ? '' : ','}${JSON.stringify(whole)}`)
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error
    return
  } finally {
    database?.close()
  }
  yield Buffer.from(']')
}

function sessionOf(session: Row, rows: { readonly messages: readonly Row[]; readonly parts: readonly Row[] }): object {
  const ofMessage = new Map<unknown, object[]>()
  for (const { id, message_id, data } of rows.parts) {
    const parts = ofMessage.get(message_id) ?? []
    parts.push(withId(id, data))
    ofMessage.set(message_id, parts)
  }
  const { id, title, parent_id, directory, version, time_created, time_updated, revert } = session
  return {
    info: {
      id,
      title,
      parentID: parent_id,
      directory,
      version,
      time: { created: time_created, updated: time_updated },
      revert: jsonOf(revert),
    },
    messages: rows.messages.map((row) => ({ info: withId(row.id, row.data), parts: ofMessage.get(row.id) ?? [] })),
  }
}

/** What is no JSON has an id and nothing else: the import names it. */
function withId(id: unknown, data: unknown): object {
  const value = jsonOf(data)
  return Object.assign({}, typeof value === 'object' ? value : null, { id })
}

function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
