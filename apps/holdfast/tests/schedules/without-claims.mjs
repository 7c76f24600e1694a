import { cutProgram } from '../replicas/cut-program.mjs'

/** What is taken out of the built program: that a record is written at the revision that was read, and that an occurrence is one command. */
cutProgram([
  { file: '/store/dist/postgres/tables/records.js', from: 'if (currentRevision !== revision)', to: 'if (false)' },
  {
    file: '/server/dist/schedules/claims.js',
    from: 'const commandId = `occurrence:',
    to: 'const commandId = `${Math.random()}:',
  },
])
