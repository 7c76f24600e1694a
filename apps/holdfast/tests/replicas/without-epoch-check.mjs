import { cutProgram } from './cut-program.mjs'

/** What is taken out of the built program: the checks that entries and drafts of a run are of the epoch of the lease. */
cutProgram([
  { file: '/store/dist/postgres/tables/append.js', from: 'if (epoch !== currentEpoch)', to: 'if (false)' },
  {
    file: '/store/dist/postgres/tables/drafts.js',
    from: 'JOIN held USING (conversation_id, epoch)',
    to: 'JOIN held USING (conversation_id)',
  },
])
