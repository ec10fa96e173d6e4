/**
 * Licenses of what is inside of the workers. Vite's own `build.license` looks at the page's scripts only, and a worker is a program of its own:
 * each gets a `licenses-of-<worker>.md` beside the page's `licenses.md`.
 */
import type { Plugin } from 'vite'

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/
const LICENSE = /^(licen[cs]e|copying)/i

export function workerLicenses(): Plugin {
  return {
    name: 'headwater:worker-licenses',
    async generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isEntry) continue
        const modules = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
        const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []))
        const read = (path: string) => this.fs.readFile(path, { encoding: 'utf8' })
        const sections = [...folders].sort().map(async (folder) => {
          const { name, version, license } = JSON.parse(await read(`${folder}/package.json`))
          const file = (await this.fs.readdir(folder)).find((each) => LICENSE.test(each))
          return `## ${name} - ${version} (${license})\n\n${file ? await read(`${folder}/${file}`) : ''}`
        })
        const source = `# Licenses of ${chunk.name}\n\n${(await Promise.all(sections)).join('\n')}`
        this.emitFile({ type: 'asset', fileName: `licenses-of-${chunk.name}.md`, source })
      }
    },
  }
}
