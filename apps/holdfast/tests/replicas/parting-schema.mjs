import { cutProgram } from './cut-program.mjs'

/** A later version of the program beside which no older server can go on. */
cutProgram([
  {
    file: '/store/dist/postgres/connection/schema.js',
    from: 'FIFTH, SIXTH];',
    to: "FIFTH, SIXTH, ['UPDATE holdfast.meta SET oldest_version = 7']];",
  },
])
