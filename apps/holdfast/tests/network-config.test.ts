import { expect, test } from 'vitest'
import { readNetwork } from '../src/network-config.ts'

test('[SEC2] the path of the public address is the base path where no other is given', () => {
  const plain = { allowedHosts: [], trustedProxies: [] }
  expect(readNetwork({})).toEqual({ ...plain, publicUrl: null, basePath: '' })
  const url = new URL('https://holdfast.example.org/desk/')
  expect(readNetwork({ publicUrl: url.href })).toEqual({ ...plain, publicUrl: url, basePath: '/desk' })
  expect(readNetwork({ publicUrl: 'https://holdfast.example.org' }).basePath).toBe('')
  expect(readNetwork({ publicUrl: url.href, basePath: '/' }).basePath).toBe('')
  expect(readNetwork({ basePath: '/a/b/' }).basePath).toBe('/a/b')
})

const WRONG = [
  { publicUrl: 'holdfast.example.org' },
  { publicUrl: 'ftp://holdfast.example.org' },
  { publicUrl: 'https://user:word@holdfast.example.org' },
  { publicUrl: 'https://holdfast.example.org/?x=1' },
  { publicUrl: 'https://holdfast.example.org/a"b' },
  { basePath: 'desk' },
  { basePath: '/a b' },
  { basePath: '/a/../b' },
  { basePath: '/"><script>' },
  { allowedHost: ['http://holdfast.lan'] },
  { allowedHost: ['*'] },
  { allowedHost: ['a/b'] },
  { trustProxy: ['all'] },
  { trustProxy: ['10.0.0.0/33'] },
  { trustProxy: ['0.0.0.0/0'] },
  { trustProxy: ['localhost'] },
]

for (const options of WRONG) {
  test(`[SEC2] refuses ${JSON.stringify(options)} and says what is wanted`, () => {
    expect(() => readNetwork(options)).toThrow(expect.objectContaining({ code: 'E_USAGE', exitCode: 2 }))
  })
}

test('[SEC2] takes names with and without port, addresses and ranges of both families', () => {
  const options = {
    allowedHost: ['holdfast.lan', 'holdfast.lan:8080', '[::1]:80', '192.168.1.7'],
    trustProxy: ['10.0.0.0/8', '127.0.0.1', 'fd00::/8'],
  }
  expect(readNetwork(options)).toMatchObject({ allowedHosts: options.allowedHost, trustedProxies: options.trustProxy })
})
