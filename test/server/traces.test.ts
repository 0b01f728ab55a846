/** Traces of the real program: the last ones when it stops, and a collector that does not answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributesOf, Collector } from '../support/collector.ts'
import { Folder, runtimes, Served } from '../support/process.ts'
import { describeInFull } from '../support/scope.ts'

for (const [name, runtime] of runtimes)
  describeInFull(`traces of petstore serve, on ${name}`, () => {
    test('are sent to the last one when it gets SIGTERM [D274]', async () => {
      using folder = new Folder()
      const collector = await Collector.start()
      const env = {
        ...folder.env,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
      }
      await using served = await Served.start({ ...env, OTEL_SERVICE_NAME: 'shop' }, { runtime })
      await served.call('GET', '/pets/1')
      const { code, stderr } = await served.end('SIGTERM')
      await collector.close()
      assert.deepEqual([code, stderr, collector.faults], [0, '', []])
      const paths = collector.spans.map(({ attributes }) => attributesOf(attributes)['url.path'])
      assert.deepEqual(paths, ['/v1/pets/1'])
      assert.deepEqual(
        collector.headers.map((headers) => headers['x-key']),
        ['secret'],
      )
      assert.deepEqual(
        collector.resources.map((resource) => resource['service.name']),
        ['shop'],
      )
    })

    for (const [what, answer] of [
      ['does not answer', null],
      ['is away', 503],
    ] as const)
      test(`a collector that ${what} keeps neither a request waiting nor the program from ending [D274]`, async () => {
        using folder = new Folder()
        const collector = await Collector.start()
        collector.answer = answer
        const env = { ...folder.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
        if (answer === 503) await collector.close()
        await using served = await Served.start(env, { runtime })
        for (let i = 0; i < 3; i++) assert.equal((await served.call('GET', '//livez')).status, 200)
        if (answer === null) await collector.until(() => collector.bodies.length > 0)
        assert.equal((await served.call('GET', '//livez')).status, 200)
        const { code, stderr } = await served.end('SIGTERM')
        await collector.close()
        assert.deepEqual([code, stderr], [0, ''])
        const warnings = served.log.filter(({ level }) => level === 40).map(({ msg }) => String(msg))
        assert.deepEqual(
          warnings.filter((msg) => msg.startsWith('spans')),
          ['spans cannot be exported', 'spans were not exported'],
        )
      })
  })
