import { cutProgram } from './cut-program.mjs'

/** The program is lost when a message is durable, before anything else is done. */
cutProgram([
  {
    from: 'if (appended.repeated) await catchUp()',
    to: `if (entries.some(({ type }) => type === 'input-admitted')) {
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => {});
    }
    if (appended.repeated) await catchUp()`,
  },
])
