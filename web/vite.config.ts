/// <reference types="vitest/config" />
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { workerLicenses } from './worker-licenses.ts'

export default defineConfig({
  plugins: [react()],
  base: '/',
  build: {
    outDir: '../src/headwater/server/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' },
    target: 'es2022',
  },
  worker: { format: 'es', plugins: () => [workerLicenses()] },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8765', headers: { origin: 'http://127.0.0.1:8765' } } } },
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] },
})
