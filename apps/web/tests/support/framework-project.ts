import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { ROOT } from './root.ts'

/** The frameworks whose own packages from npm a project is made with. */
export const FRAMEWORKS = ['react', 'vue', 'svelte', 'html'] as const
export type Framework = (typeof FRAMEWORKS)[number]

/** A shop: a list from a module of its own, a button that counts, and its colours in a style sheet. */
export const SHOP = {
  list: 'src/teas.js',
  style: 'src/style.css',
  whole: "export const teas = ['Assam', 'Sencha']\n",
  broken: 'export const teas = kettles.all()\n',
  styleOf: (colour: string) => `.buy { background: ${colour}; color: white }\n`,
} as const

const CONFIGS = {
  react: { plugin: '@vitejs/plugin-react', name: 'react', packages: ['react', 'react-dom'] },
  vue: { plugin: '@vitejs/plugin-vue', name: 'vue', packages: ['vue'] },
  svelte: { plugin: '@sveltejs/vite-plugin-svelte', name: '{ svelte }', packages: ['svelte'] },
  html: null,
} as const

/** The file of the project in which the button is made; null where the page is made by hand. */
export const BUTTON_FILES = { react: 'App.jsx', vue: 'App.vue', svelte: 'App.svelte', html: null } as const

const page = (body: string, main: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title></head><body>${body}<script type="module" src="/src/${main}"></script></body></html>`

const SOURCES: Readonly<Record<Framework, Readonly<Record<string, string>>>> = {
  react: {
    'index.html': page('<div id="app"></div>', 'main.jsx'),
    'src/main.jsx': `import { createRoot } from 'react-dom/client'
import App from './App.jsx'
import './style.css'
createRoot(document.getElementById('app')).render(<App />)
`,
    'src/App.jsx': `import { useState } from 'react'
import { teas } from './teas.js'

export default function App() {
  const [count, setCount] = useState(0)
  return (
    <main>
      <p>{teas.join(', ')}</p>
      <button className="buy" onClick={() => setCount(count + 1)}>Bought {count}</button>
    </main>
  )
}
`,
  },
  vue: {
    'index.html': page('<div id="app"></div>', 'main.js'),
    'src/main.js': `import { createApp } from 'vue'
import App from './App.vue'
import './style.css'
createApp(App).mount('#app')
`,
    'src/App.vue': `<script setup>
import { ref } from 'vue'
import { teas } from './teas.js'
const count = ref(0)
</script>

<template>
  <main>
    <p>{{ teas.join(', ') }}</p>
    <button class="buy" @click="count++">Bought {{ count }}</button>
  </main>
</template>
`,
  },
  svelte: {
    'index.html': page('<div id="app"></div>', 'main.js'),
    'src/main.js': `import { mount } from 'svelte'
import App from './App.svelte'
import './style.css'
mount(App, { target: document.getElementById('app') })
`,
    'src/App.svelte': `<script>
  import { teas } from './teas.js'
  let count = $state(0)
</script>

<main>
  <p>{teas.join(', ')}</p>
  <button class="buy" onclick={() => (count += 1)}>Bought {count}</button>
</main>
`,
  },
  html: {
    'index.html': page('<main><p id="teas"></p><button class="buy">Bought 0</button></main>', 'main.js'),
    'src/main.js': `import { teas } from './teas.js'
import './style.css'
let count = 0
document.querySelector('#teas').textContent = teas.join(', ')
document.querySelector('.buy').addEventListener('click', (event) => {
  count += 1
  event.target.textContent = 'Bought ' + count
})
`,
  },
}

/** Writes a project of vite into a folder, with copies of the packages that it needs: a sandbox sees nothing beside it. */
export async function writeProject(folder: string, framework: Framework): Promise<void> {
  const config = CONFIGS[framework]
  const imports = config === null ? '' : `import ${config.name} from '${config.plugin}'\n`
  const plugin = config === null ? '' : `${config.name.replace(/[{} ]/g, '')}()`
  const files = {
    ...SOURCES[framework],
    [SHOP.list]: SHOP.whole,
    [SHOP.style]: SHOP.styleOf('teal'),
    'vite.config.js': `${imports}export default { plugins: [${plugin}], clearScreen: false }\n`,
    'package.json': JSON.stringify({ type: 'module', scripts: { dev: 'node node_modules/vite/bin/vite.js' } }),
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const wanted = ['vite', ...(config === null ? [] : [config.plugin, ...config.packages])]
  for (const [name, from] of await packagesFor(wanted))
    await cp(from, join(folder, 'node_modules', name), { recursive: true })
}

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
})

/** What stands at the root of npm's tree for these packages: each with what it needs and is installed. */
async function packagesFor(wanted: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const waiting = [...wanted]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const folder = found.has(name) ? null : folderOf(name)
    if (folder === null) continue
    found.set(name, folder)
    const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
    waiting.push(...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies))
  }
  return found
}

/** Null for what is for another system and was not installed. */
function folderOf(name: string): string | null {
  const folder = join(ROOT, 'node_modules', name)
  return existsSync(join(folder, 'package.json')) ? folder : null
}
