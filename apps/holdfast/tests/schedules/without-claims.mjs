import { cutProgram } from '../replicas/cut-program.mjs'

/** What is taken out of the built program: that a record is written at the revision that was read, and that an occurrence is one command. */
cutProgram([
  {
    from: 'if (currentRevision !== revision) throw new RevisionConflictError',
    to: 'if (false) throw new RevisionConflictError',
  },
  {
    from: 'const commandId = `occurrence:',
    to: 'const commandId = `${Math.random()}:',
  },
])
