import { cutProgram } from './cut-program.mjs'

/** What is taken out of the built program: the checks that entries and drafts of a run are of the epoch of the lease, and of a step that is open. */
cutProgram([
  { from: 'if (epoch !== currentEpoch)', to: 'if (false)' },
  {
    from: `JOIN held USING (conversation_id, epoch)
    JOIN holdfast.conversations USING (conversation_id)
    WHERE started_seq > drafts_after`,
    to: `JOIN held USING (conversation_id)
    JOIN holdfast.conversations USING (conversation_id)`,
  },
])
