import { cutProgram } from './cut-program.mjs'

/** One user may have as many lines as two thousand people have together. */
cutProgram([{ from: 'MAX_LINES_OF_USER = 200', to: 'MAX_LINES_OF_USER = 10_000' }])
