import type { TestDatabase } from './postgres-server.ts'

/** Databases for stores, one after the other: to make one and to drop it takes the server longer than most tests. */
export interface EmptiedDatabases {
  /** One without any row of a store. Whether the schema is there already is left to the store that is opened on it. */
  take(): Promise<TestDatabase>
  /** Gives back one that has the schema, and nobody on it any more. */
  giveBack(database: TestDatabase): Promise<void>
}

/** Keeps what was given back for whoever asks next. The server goes with the tests of its run, and they with it. */
export function keepEmptied(create: () => Promise<TestDatabase>): EmptiedDatabases {
  const free: TestDatabase[] = []
  return {
    take: async () => free.pop() ?? create(),
    async giveBack(database) {
      await database.sql(EMPTY)
      free.push(database)
    },
  }
}

/** As the schema is when it is new: without rows, but for that which says its version, and with numbers that begin anew. */
const EMPTY = `DO $$
DECLARE named record;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR named IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'holdfast' AND tablename <> 'meta' LOOP
    EXECUTE format('DELETE FROM holdfast.%I', named.name);
  END LOOP;
  FOR named IN SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'holdfast' AND last_value IS NOT NULL LOOP
    EXECUTE format('ALTER SEQUENCE holdfast.%I RESTART', named.name);
  END LOOP;
END $$`
