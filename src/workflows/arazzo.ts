/** The workflows as a document for machines (Arazzo 1.0), at /arazzo.json. */
import { jsonType } from '../http/message.ts'
import type { SiteReply } from '../http/site-route.ts'
import { documentPaths } from '../reference/openapi.ts'
import { createFile } from '../reference/pages.ts'
import { retry, type Step, type Value, type Workflow, workflows } from './workflows.ts'

export const createArazzoPage = (): SiteReply =>
  createFile(() => Buffer.from(`${JSON.stringify(arazzoDocument(), undefined, 2)}\n`), jsonType)

const arazzoDocument = (): object => ({
  arazzo: '1.0.1',
  info: {
    title: 'Pet Store workflows',
    summary: 'What one does with the Pet Store API in several steps.',
    version: '1.0.0',
  },
  // Relative, so that it is found under every address of the service.
  sourceDescriptions: [{ name: 'petstore', type: 'openapi', url: `.${documentPaths['3.1']}` }],
  workflows: Object.entries(workflows).map(([id, workflow]) => workflowNode(id, workflow)),
})

function workflowNode(workflowId: string, { title, text, inputs = {}, steps }: Workflow): object {
  const scopes = [...new Set(Object.values(steps).map(({ operation }) => operation.scope))].filter(Boolean)
  const description = `An API key${scopes.length > 0 ? ` with the scopes ${scopes.join(', ')}` : ''}.`
  const apiKey = { type: 'string', format: 'password', description }
  const others = Object.entries(inputs).map(([name, description]) => [name, { type: 'string', description }])
  return {
    workflowId,
    summary: title,
    description: text,
    inputs: {
      type: 'object',
      required: ['apiKey', ...Object.keys(inputs)],
      properties: { apiKey, ...Object.fromEntries(others) },
    },
    parameters: [keyParameter('apiKey')],
    steps: Object.entries(steps).map(([id, step]) => stepNode(id, step)),
  }
}

const keyParameter = (input: string) => ({ in: 'header', name: 'Authorization', value: `Bearer {$inputs.${input}}` })

function stepNode(stepId: string, step: Step): object {
  const { text, operation, parameters = {}, body, key, expect = {}, outputs, isAwaited } = step
  const placeOf = (name: string) => (name in (operation.params ?? {}) ? 'path' : 'query')
  const given = Object.entries(parameters).map(([name, value]) => ({ in: placeOf(name), name, value }))
  const criteria = Object.entries(expect).map(([pointer, value]) => `$response.body#${pointer} == ${literal(value)}`)
  const { seconds, times } = retry
  return {
    stepId,
    description: text,
    operationId: operation.id,
    ...((key || given.length > 0) && { parameters: [...(key ? [keyParameter(key)] : []), ...given] }),
    ...(body && { requestBody: { contentType: 'application/json', payload: body } }),
    successCriteria: [`$statusCode == ${operation.answer.status}`, ...criteria].map((condition) => ({ condition })),
    ...(isAwaited && { onFailure: [{ name: 'notYet', type: 'retry', retryAfter: seconds, retryLimit: times }] }),
    ...(outputs && { outputs }),
  }
}

const literal = (value: Value): string =>
  typeof value === 'string' && !value.startsWith('$') ? `'${value}'` : String(value)
