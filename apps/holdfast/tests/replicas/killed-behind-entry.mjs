import { cutProgram } from './cut-program.mjs'

/** The program is lost when a message is durable, before anything else is done. */
cutProgram([
  {
    file: '/engine/dist/log/host-log.js',
    from: 'if (appended.repeated)',
    to: `if (entries.some(({ type }) => type === 'input-admitted')) {
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => {});
    }
    if (appended.repeated)`,
  },
])
