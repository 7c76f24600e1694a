import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import { createServer, type Plugin, type ViteDevServer } from 'vite'

/** A project of a framework as its own template has it, served by its dev server. */
export interface Project {
  readonly root: string
  readonly url: string
  readonly file: string
  readonly source: string
  close(): Promise<void>
}

export const FRAMEWORKS = ['react-19', 'react-18', 'vue', 'svelte', 'html'] as const
export type Framework = (typeof FRAMEWORKS)[number]

/** So many elements of each page are picked. */
const ROWS = 10

const REACT = `import { useState } from 'react'

function Badge({ name }) {
  return <em data-pick="badge">{name}</em>
}

function Row({ index }) {
  return (
    <li data-pick={'row-' + index}>
      <span data-pick={'one-' + index}>one</span><b data-pick={'two-' + index}>two</b><i data-pick={'three-' + index}>three</i>
    </li>
  )
}

export default function App() {
  const [count, setCount] = useState(0)
  return (
    <main>
      <h1 data-pick="title">Vite + React</h1>
      <button data-pick="button" onClick={() => setCount((now) => now + 1)}>
        count is {count}
      </button>
      <svg data-pick="svg" width="40" height="40"><circle cx="20" cy="20" r="18" /></svg>
      <p data-pick="note">A note</p><label data-pick="label">A label</label>
      <ul>
        {[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((index) => <Row key={index} index={index} />)}
      </ul>
      <Badge name="badge" />
    </main>
  )
}
`
const reactFiles = (client: string, jsx: string) => ({
  'index.html': '<!doctype html><div id="root"></div><script type="module" src="/src/main.jsx"></script>',
  'src/main.jsx': `import { createRoot } from '${client}'\nimport App from './${jsx}'\ncreateRoot(document.getElementById('root')).render(<App />)\n`,
  [`src/${jsx}`]: REACT,
})

const rows = (tag: (index: number) => string) => Array.from({ length: ROWS }, (_, index) => tag(index)).join('\n')
const VUE = `<script setup>
import { ref } from 'vue'
const count = ref(0)
</script>

<template>
  <main>
    <button data-pick="button" @click="count++">count is {{ count }}</button>
${rows((index) => `    <p data-pick="row-${index}">row</p>`)}
  </main>
</template>
`
const SVELTE = `<script>
  let count = $state(0)
</script>

<main>
  <button data-pick="button" onclick={() => (count += 1)}>count is {count}</button>
${rows((index) => `  <p data-pick="row-${index}">row</p>`)}
</main>
`

function filesOf(framework: Framework): { files: Record<string, string>; file: string; plugins: Plugin[][] } {
  switch (framework) {
    case 'react-19':
      return { files: reactFiles('react-dom/client', 'App.jsx'), file: 'src/App.jsx', plugins: [react()] }
    case 'react-18':
      return { files: reactFiles('react-dom/client', 'App.jsx'), file: 'src/App.jsx', plugins: [react()] }
    case 'vue':
      return {
        files: {
          'index.html': '<!doctype html><div id="app"></div><script type="module" src="/src/main.js"></script>',
          'src/main.js': `import { createApp } from 'vue'\nimport App from './App.vue'\ncreateApp(App).mount('#app')\n`,
          'src/App.vue': VUE,
        },
        file: 'src/App.vue',
        plugins: [[vue()]],
      }
    case 'svelte':
      return {
        files: {
          'index.html': '<!doctype html><div id="app"></div><script type="module" src="/src/main.js"></script>',
          'src/main.js': `import { mount } from 'svelte'\nimport App from './App.svelte'\nmount(App, { target: document.getElementById('app') })\n`,
          'src/App.svelte': SVELTE,
        },
        file: 'src/App.svelte',
        plugins: [svelte() as Plugin[]],
      }
    case 'html':
      return {
        files: {
          'index.html': '<!doctype html><main><button data-pick="button">count</button></main>',
        },
        file: 'index.html',
        plugins: [],
      }
  }
}

/** Where the newest of a package lies, and where npm has put what version 18 of React needs. */
const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
const OWN_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** Writes the project into a folder of its own and starts its dev server. */
export async function openProject(framework: Framework): Promise<Project> {
  const root = await mkdtemp(join(tmpdir(), `holdfast-${framework}-`))
  const { files, file, plugins } = filesOf(framework)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  await mkdir(join(root, 'node_modules'))
  const is18 = framework === 'react-18'
  for (const [name, from] of [
    ['react', is18 ? join(MODULES, 'react-18') : join(MODULES, 'react')],
    ['react-dom', is18 ? join(OWN_MODULES, 'react-dom-18') : join(MODULES, 'react-dom')],
    ['scheduler', is18 ? join(OWN_MODULES, 'scheduler') : join(MODULES, 'scheduler')],
    ['vue', join(MODULES, 'vue')],
    ['svelte', join(MODULES, 'svelte')],
  ] as const)
    await symlink(from, join(root, 'node_modules', name))
  const server: ViteDevServer = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    cacheDir: join(root, '.vite'),
    plugins,
    // Version 18 stands beside 19: what it imports is looked for where it is linked to.
    resolve: { dedupe: ['react', 'react-dom'], preserveSymlinks: is18 },
    server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
  })
  await server.listen()
  const address = server.httpServer?.address()
  if (typeof address !== 'object' || address === null) throw new Error('The dev server listens at no port')
  const { port } = address
  return {
    root,
    url: `http://127.0.0.1:${port}/`,
    file,
    source: files[file] ?? '',
    async close() {
      await server.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}
