import pg from 'pg'

/** One write of a replica, in the order in which the database took them. */
export interface AuditedWrite {
  /** Grows with every write. */
  readonly place: number
  /** The role of the replica that wrote. */
  readonly writer: string
  readonly type: 'lease' | 'run-entry' | 'draft'
  readonly conversationId: string
  /** Of a lease its epoch. */
  readonly epoch: number | null
  /** Milliseconds since the Unix epoch, by the database's clock. */
  readonly at: number
}

/** What the database itself writes down of who wrote what: each replica has a role of its own. */
export interface Audit {
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>
  writes(conversationIds: readonly string[]): Promise<readonly AuditedWrite[]>
  close(): Promise<void>
}

/** Entries that only the owner of a conversation writes. */
const OF_RUNS = [
  'run-started',
  'user-message-sent',
  'step-started',
  'step-finished',
  'step-failed',
  'usage-recorded',
  'tool-call-started',
  'tool-call-settled',
  'run-finished',
]

const TRIGGERS = `
  CREATE SCHEMA audit;
  CREATE TABLE audit.writes (
    place bigserial PRIMARY KEY, writer text NOT NULL DEFAULT session_user, type text NOT NULL, conversation_id text NOT NULL,
    epoch bigint, at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  );
  CREATE FUNCTION audit.lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NOT NEW.is_released THEN
      INSERT INTO audit.writes (type, conversation_id, epoch) VALUES ('lease', NEW.conversation_id, NEW.epoch);
    END IF;
    RETURN NULL;
  END $$;
  CREATE FUNCTION audit.entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.body::json ->> 'type' = ANY ('{${OF_RUNS.join(',')}}') THEN
      INSERT INTO audit.writes (type, conversation_id) VALUES ('run-entry', NEW.conversation_id);
    END IF;
    RETURN NULL;
  END $$;
  CREATE FUNCTION audit.draft() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO audit.writes (type, conversation_id) VALUES ('draft', NEW.conversation_id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER audited AFTER INSERT OR UPDATE ON holdfast.leases FOR EACH ROW EXECUTE FUNCTION audit.lease();
  CREATE TRIGGER audited AFTER INSERT ON holdfast.entries FOR EACH ROW EXECUTE FUNCTION audit.entry();
  CREATE TRIGGER audited AFTER INSERT ON holdfast.drafts FOR EACH ROW EXECUTE FUNCTION audit.draft();`

const WRITES = `
  SELECT place::int, writer, type, conversation_id AS "conversationId", epoch::int, at::float8 AS at FROM audit.writes
  WHERE conversation_id = ANY($1) ORDER BY place`

/** Begins to write down, in a database whose schema is there. */
export async function startAudit(url: string): Promise<Audit> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(TRIGGERS)
  return {
    sql: async (text, values) => (await client.query(text, values === undefined ? [] : [...values])).rows,
    writes: async (conversationIds) => (await client.query<AuditedWrite>(WRITES, [conversationIds])).rows,
    close: () => client.end(),
  }
}

/**
 * The checker: every write of a run that came from another than who had the lease at that place. Whoever takes a lease over
 * waits for the transactions that read it, so that the places tell who owned the conversation when.
 */
export function writesOfTwo(writes: readonly AuditedWrite[]): readonly AuditedWrite[] {
  const owners = new Map<string, string>()
  return writes.filter(({ type, conversationId, writer }) => {
    if (type !== 'lease') return owners.get(conversationId) !== writer
    owners.set(conversationId, writer)
    return false
  })
}
