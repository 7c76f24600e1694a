import { cutProgram } from './cut-program.mjs'

/** A later version of the program, as far as the database knows: one more step of the schema, which changes a busy table. */
cutProgram([
  {
    file: '/store/dist/postgres/connection/schema.js',
    from: 'FIFTH, SIXTH];',
    to: "FIFTH, SIXTH, ['ALTER TABLE holdfast.entries ADD COLUMN later integer']];",
  },
])
