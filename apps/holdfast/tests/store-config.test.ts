import { expect, test } from 'vitest'
import { parseConfigFile } from '../src/config-file.ts'
import { readBucket, readConnections } from '../src/store/store-config.ts'

const KEYS: Readonly<Record<string, string>> = {
  HOLDFAST_BUCKET_KEY_ID: 'id',
  HOLDFAST_BUCKET_SECRET_KEY: 'secret',
}
const variable = (name: string): string | undefined => KEYS[name]

function fileWith(bucket: Readonly<Record<string, unknown>>) {
  return parseConfigFile(JSON.stringify({ bucket }), 'holdfast.json')
}

test('[LOG32] a bucket is that of AWS in its region, or that of an address with its name in the path', () => {
  const file = fileWith({ name: 'files', region: 'eu-central-1' })
  expect(readBucket(file, variable)).toEqual({
    name: 'files',
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    region: 'eu-central-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    pathStyle: false,
    prefix: '',
  })
  const own = fileWith({ name: 'files', region: 'x', endpoint: 'https://s3.example.org', prefix: 'a/b/' })
  expect(readBucket(own, variable)).toMatchObject({
    endpoint: 'https://s3.example.org',
    pathStyle: true,
    prefix: 'a/b/',
  })
  expect(readBucket({}, variable)).toBeNull()
})

test.each([
  [{ name: 'No Name', region: 'x' }, 'bucket.name: is 3 to 63 lower-case letters'],
  [{ name: 'files', region: 'eu west' }, 'bucket.region: is lower-case letters'],
  [{ name: 'files', region: 'x', endpoint: 'ftp://a' }, 'bucket.endpoint'],
  [{ name: 'files', region: 'x', prefix: 'no-slash' }, 'bucket.prefix: is names of letters'],
  [{ name: 'files', region: 'x', prefix: '../up/' }, 'bucket.prefix: is names of letters'],
  [{ name: 'files', region: 'x', secret: 'mine' }, 'there is no setting "secret"'],
  [{ name: 'files' }, 'bucket.region'],
])('[LOG35] a bucket that cannot be one is refused with its place: %j', (bucket, words) => {
  expect(() => fileWith(bucket)).toThrow(words)
})

test('[LOG35] a bucket without its keys, or with a name that no certificate covers, is refused with what to do', () => {
  const file = fileWith({ name: 'files', region: 'x' })
  const withoutSecret = (name: string) => (name === 'HOLDFAST_BUCKET_KEY_ID' ? 'id' : undefined)
  expect(() => readBucket(file, withoutSecret)).toThrow('the environment has no HOLDFAST_BUCKET_SECRET_KEY')
  expect(() => readBucket(fileWith({ name: 'a.b.c', region: 'x' }), variable)).toThrow('Set bucket.pathStyle to true')
})

test('[SCALE15] the most connections to PostgreSQL are those of the file, else ten', () => {
  const file = (connections: number) => parseConfigFile(JSON.stringify({ database: { connections } }), 'holdfast.json')
  expect(readConnections(file(40))).toBe(40)
  expect(readConnections({})).toBe(10)
  expect(() => file(1)).toThrow('database.connections')
})
