import { defineConfig } from 'orval'

export default defineConfig({
  petstore: {
    input: './openapi.json',
    output: { target: './api.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
})
