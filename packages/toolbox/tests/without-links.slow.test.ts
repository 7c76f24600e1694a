import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** The system's own answers on a disk that gives no file a second name: FAT says the first, many shares the second. */
it.each(['EPERM', 'EOPNOTSUPP'])(
  '[WS1] files are made and moved where a disk answers %s to a second name, and none takes the place of another',
  async (error) => {
    const program = join(import.meta.dirname, 'support/change-files.ts')
    const { stdout } = await promisify(execFile)(
      process.env['HOLDFAST_STRACE'] ?? 'strace',
      [
        ...['-f', '-o', '/dev/null', '-e', 'trace=?link,linkat', '-e', `inject=?link,linkat:error=${error}`],
        ...[process.execPath, '--conditions=@holdfast/source', program],
      ],
      { timeout: 60_000 },
    )
    const { said, ...rest } = JSON.parse(stdout)
    expect(said[0]).toContain('ok: ')
    expect(said[1]).toContain('ok: ')
    expect(said[2]).toContain('one')
    expect(rest).toEqual({ wonCount: 20, codes: ['EEXIST'], leftCount: 0, fromCount: 40 })
  },
)
