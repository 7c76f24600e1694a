import { cutProgram } from './cut-program.mjs'

/** A later version of the program beside which no older server can go on. */
cutProgram([
  {
    from: 'ADD COLUMN oldest_version integer NOT NULL DEFAULT 6"]',
    to: 'ADD COLUMN oldest_version integer NOT NULL DEFAULT 6"], ["UPDATE holdfast.meta SET oldest_version = 7"]',
  },
])
