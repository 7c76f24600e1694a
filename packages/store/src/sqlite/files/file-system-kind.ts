import { statfs } from 'node:fs/promises'
import { StoreOpenError } from '@holdfast/conversation'

/** Numbers of network file systems on Linux, from linux/magic.h and the sources of those that are not in it. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB 2'],
  [0x01021997, '9p'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'kAFS'],
  [0x00c36400, 'Ceph'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x47504653, 'GPFS'],
])

/** Says of what type the file system of a folder is, as `statfs` numbers it. */
export type FileSystemType = (folder: string) => Promise<number>

/** Asks the operating system. Where the numbers mean something else, none of them is known. */
export async function fileSystemTypeOf(folder: string): Promise<number> {
  const { type } = await statfs(folder)
  // Some numbers have their highest bit set, and come signed on some machines.
  return process.platform === 'linux' ? type >>> 0 : 0
}

/**
 * Refuses a network file system: locks and memory shared between processes do not work there, and a write
 * that was acknowledged may be lost.
 *
 * @throws {StoreOpenError} `network-file-system`.
 */
export async function requireLocalFolder(folder: string, typeOf: FileSystemType): Promise<void> {
  const name = NETWORK_TYPES.get(await typeOf(folder))
  if (name === undefined) return
  throw new StoreOpenError(
    'network-file-system',
    `The data folder ${folder} is on a network file system (${name}), where writes can be lost. Move it to a local disk, or use PostgreSQL.`,
  )
}
