import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BucketOptions } from '@holdfast/store/bucket'
import S3rver from 's3rver'

/** A real server of S3's protocol on this machine, which may be stopped and whose files may be damaged. */
export interface BucketServer {
  readonly options: BucketOptions
  /** Goes away, with everything it has kept. */
  stop(): Promise<void>
  /** Comes back at the same address, unless it is there. */
  start(): Promise<void>
  /** The files that hold pieces. */
  pieces(): Promise<readonly string[]>
  /** Changes one byte of every piece. */
  damage(): Promise<void>
  /** Loses every piece. */
  lose(): Promise<void>
  remove(): Promise<void>
}

const NAME = 'contents'

/** Starts one in a folder of its own. */
export async function startBucketServer(): Promise<BucketServer> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bucket-'))
  let port = 0
  let server: S3rver | null = null
  const start = async (): Promise<void> => {
    if (server) return
    server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: NAME }],
    })
    port = (await server.run()).port
  }
  const stop = async (): Promise<void> => {
    await server?.close()
    server = null
  }
  const pieces = async (): Promise<readonly string[]> => {
    const names = await readdir(join(folder, NAME), { recursive: true })
    return names.filter((name) => name.endsWith('._S3rver_object')).map((name) => join(folder, NAME, name))
  }
  await start()
  return {
    options: {
      name: NAME,
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      // What this server lets in.
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      pathStyle: true,
      prefix: 'holdfast/',
    },
    start,
    stop,
    pieces,
    async damage() {
      for (const file of await pieces()) {
        const bytes = await readFile(file)
        bytes[0] = (bytes[0] ?? 0) ^ 1
        await writeFile(file, bytes)
      }
    },
    async lose() {
      for (const file of await pieces()) await rm(file)
    },
    async remove() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
