import type { ServerResponse } from 'node:http';
import { LocalSecrets } from '../../activities/adapters/secrets';
import type { Metrics } from '../../activities/metrics';
import type { TraceSpan } from '../../activities/traces-port';
import type { TraceSpec } from '../../plan/run/services';
import { traceSender } from '../../worker/trace-sender';
import { type TraceReceiver, traceReceiver } from '../support/trace-receiver';
import { until } from '../support/until';

const span = (n = 1, more: Partial<TraceSpan> = {}): TraceSpan => ({
  traceId: 'a'.repeat(32),
  spanId: String(n).padStart(16, '0'),
  name: 'hello',
  startMs: 1_767_600_000_123,
  endMs: 1_767_600_001_000,
  attributes: { 'thermidor.step': 'hello' },
  ...more,
});

let receiver: TraceReceiver;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function receiving(answer?: (response: ServerResponse) => void): Promise<void> {
  receiver = await traceReceiver(answer);
  closing.push(receiver.close);
}

/** By itself a sender that closes does not wait for a busy machine. */
function sender(spec: Partial<TraceSpec> = {}, environment: NodeJS.ProcessEnv = {}, closeMs = 60_000) {
  const logged: string[] = [];
  const counts = { sent: 0, dropped: 0 };
  const metrics: Metrics = {
    replied: () => undefined,
    called: () => undefined,
    tried: () => undefined,
    waited: () => undefined,
    traced: ({ spans, outcome }) => {
      counts[outcome] += spans;
    },
  };
  const log = (level: string, text: string, fields?: object) => void logged.push(`${level} ${text} ${JSON.stringify(fields)}`);
  const made = traceSender({ url: receiver.url, ...spec }, { secrets: new LocalSecrets(environment), log, metrics, closeMs });
  closing.push(made.close);
  return { made, logged, counts };
}

function endless(response: ServerResponse): void {
  response.writeHead(200);
  const more = (): void => {
    while (response.write('x'.repeat(10_000)));
  };
  response.on('drain', more);
  more();
}

describe('a sender of traces', () => {
  it('speaks OTLP over HTTP: ids, times, status and links arrive as they were made', async () => {
    await receiving();
    const { made, counts, logged } = sender();
    const links = [{ traceId: 'b'.repeat(32), spanId: 'c'.repeat(16) }];
    made.add([span(1, { links }), span(2, { parentId: span(1).spanId, failed: 'command.failed', attributes: { n: 7, cost: 0.5 } })]);
    await made.close();
    expect(logged).toEqual([]);
    const [first, second] = receiver.spans;
    expect(receiver.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'content-type': 'application/json' } });
    expect(first).toMatchObject({ traceId: 'a'.repeat(32), spanId: span(1).spanId, name: 'hello', status: { code: 0 }, links });
    expect(first?.parentSpanId).toBeUndefined();
    expect([first?.startTimeUnixNano, first?.endTimeUnixNano]).toEqual(['1767600000123000000', '1767600001000000000']);
    expect(first?.attributes).toEqual([{ key: 'thermidor.step', value: { stringValue: 'hello' } }]);
    expect(second).toMatchObject({ parentSpanId: span(1).spanId, status: { code: 2, message: 'command.failed' } });
    expect(counts).toEqual({ sent: 2, dropped: 0 });
  });

  it('sends headers with their secrets, and spans without', async () => {
    await receiving();
    const environment = { COLLECTOR: 'Bearer hunter2-hunter2', MY_TOKEN: 'swordfish-swordfish' };
    const { made } = sender({ headers: { authorization: 'secret://env/COLLECTOR', 'x-team': 'red' } }, environment);
    made.add([span(1, { name: 'chat swordfish-swordfish', attributes: { model: 'swordfish-swordfish' } })]);
    await made.close();
    expect(receiver.requests[0]?.headers).toMatchObject({ authorization: environment.COLLECTOR, 'x-team': 'red' });
    expect(receiver.spans).toHaveLength(1);
    expect(receiver.requests[0]?.body).not.toContain('swordfish');
  });

  it('drops what nobody takes, counts it, and says so once', async () => {
    await receiving();
    await receiver.close();
    const { made, logged, counts } = sender();
    for (let i = 0; i < 10; i++) made.add(Array.from({ length: 500 }, (_, n) => span(n)));
    await made.close();
    expect(counts).toEqual({ sent: 0, dropped: 5000 });
    expect(logged).toEqual([expect.stringContaining('warn traces cannot be sent')]);
  });

  it('sends what waited once the collector is back', async () => {
    let isBack = false;
    await receiving((response) => void response.writeHead(isBack ? 200 : 503).end('{}'));
    const { made, counts } = sender();
    made.add(Array.from({ length: 512 }, (_, n) => span(n)));
    await until(() => receiver.requests.length === 1);
    isBack = true;
    await made.close();
    expect(receiver.requests.length).toBeGreaterThan(1);
    expect(counts).toEqual({ sent: 512, dropped: 0 });
  });

  it('holds no more than it has room for while a collector is silent', async () => {
    const held: ServerResponse[] = [];
    await receiving((response) => held.push(response));
    const { made, counts } = sender({}, {}, 100);
    for (let i = 0; i < 100; i++) made.add(Array.from({ length: 1000 }, (_, n) => span(n)));
    expect(counts.dropped).toBe(100_000 - 4096);
    expect(counts.sent).toBe(0);
  });

  it.each([
    ['a page', (response: ServerResponse) => void response.writeHead(200).end('<html>'), { sent: 1, dropped: 0 }],
    ['a refusal', (response: ServerResponse) => void response.writeHead(400).end('no'), { sent: 0, dropped: 1 }],
    [
      'a part',
      (response: ServerResponse) => void response.writeHead(200).end('{"partialSuccess":{"rejectedSpans":"1"}}'),
      { sent: 0, dropped: 1 },
    ],
    ['an answer without end', endless, { sent: 1, dropped: 0 }],
    [
      'half an answer',
      (response: ServerResponse) => void response.writeHead(400).write('x', () => response.destroy()),
      { sent: 0, dropped: 1 },
    ],
  ])('survives %s', async (_what, answer, expected) => {
    await receiving(answer);
    const { made, counts } = sender();
    made.add([span()]);
    await made.close();
    await until(() => counts.sent + counts.dropped > 0);
    expect(counts).toEqual(expected);
  });

  it('sends nothing without the secret of a header', async () => {
    await receiving();
    const { made, logged, counts } = sender({ headers: { authorization: 'secret://env/NOT_THERE' } });
    made.add([span()]);
    await made.close();
    expect(receiver.requests).toEqual([]);
    expect(counts).toEqual({ sent: 0, dropped: 1 });
    expect(logged).toEqual([expect.stringContaining('secret://env/NOT_THERE cannot be resolved')]);
  });
});
