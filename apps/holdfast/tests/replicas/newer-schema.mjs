import { cutProgram } from './cut-program.mjs'

/** A later version of the program, as far as the database knows: one more step of the schema, which changes a busy table. */
cutProgram([
  {
    from: 'ADD COLUMN oldest_version integer NOT NULL DEFAULT 6"]',
    to: 'ADD COLUMN oldest_version integer NOT NULL DEFAULT 6"], ["ALTER TABLE holdfast.entries ADD COLUMN later integer"]',
  },
])
