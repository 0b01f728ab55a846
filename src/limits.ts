/** Every limit of the service, defined once: its value, its wording, and the error code when it is exceeded. */
const kibibytes = <C extends string>(count: number, code: C) => ({ bytes: count * 1024, text: `${count} KiB`, code })
const seconds = (count: number) => ({ seconds: count, milliseconds: count * 1000, text: `${count} seconds` })
const hours = (count: number) => ({ milliseconds: count * 60 * 60 * 1000, text: `${count} hours` })
const days = (count: number) => ({ milliseconds: count * 24 * 60 * 60 * 1000, text: `${count} days` })
const oneTo = (max: number) => ({ max, text: `1 to ${max}` })

export const limits = {
  bodySize: kibibytes(64, 'content_too_large'),
  targetSize: kibibytes(8, 'uri_too_long'),
  headerSize: kibibytes(16, 'headers_too_large'),
  /** How long the headers of a request and the whole request may take to arrive. */
  headerTime: { ...seconds(10), code: 'request_timeout' },
  requestTime: { ...seconds(15), code: 'request_timeout' },
  pageSize: { ...oneTo(100), fallback: 20, code: 'invalid_parameter' },
  salesDays: { ...oneTo(366), fallback: 30, code: 'invalid_parameter' },
  idsInFilter: { ...oneTo(100), code: 'invalid_parameter' },
  searchLength: { ...oneTo(128), code: 'invalid_parameter' },
  nameLength: { ...oneTo(1024), code: 'invalid_field' },
  referenceLength: { ...oneTo(128), code: 'invalid_field' },
  /** How far ahead the end of an order may be. */
  holdTime: { ...days(366), code: 'invalid_field' },
  idempotencyKeyLength: { ...oneTo(255), code: 'invalid_idempotency_key' },
  /** How long a request with an Idempotency-Key may be repeated. */
  idempotencyTime: hours(24),
  requestIdLength: oneTo(128),
  /** The longest time that an API key keeps working after it was rotated or revoked. */
  rotatedKeyTime: hours(24),
  revokedKeyTime: seconds(5),
  /** The number of webhooks of a store. Each further webhook means one more delivery of every event. */
  webhooks: { max: 100, text: '100', code: 'too_many_webhooks' },
  /** How long the old secret of a webhook also signs messages. */
  rotatedSecretTime: hours(24),
  /** The range of RATE_LIMIT and `--rate`. */
  rate: { requestsMax: 1_000_000, secondsMax: 3_600, code: 'rate_limited' },
  /** Invalid API keys from one address: a burst of 60, then one every 10 seconds. */
  failedAuthentications: {
    requests: 60,
    seconds: 600,
    text: 'a burst of 60 from one address, then one every 10 seconds',
    code: 'rate_limited',
  },
  /** The number of concurrent event streams of a process. */
  eventStreams: { max: 10_000, text: '10,000', code: 'unavailable' },
  /** The number of concurrent event streams of one API key, so that one client cannot use up all streams. */
  eventStreamsOfKey: { max: 2_500, text: '2,500', code: 'rate_limited' },
  /** How often an event stream sends a comment, and how long its client may leave unread what was sent. */
  commentTime: seconds(8),
  stuckTime: seconds(30),
  /**
   * For how many keys, and for how many addresses, the use is remembered. Together this takes about 20 MB. Dropping a
   * tenth of them takes 20 ms.
   */
  remembered: 50_000,
} as const
