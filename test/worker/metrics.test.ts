import { countMetrics } from '../../worker/metrics';
import { watchListener } from '../../worker/watch-listener';

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 1, costMicroUsd: 42 };
const who = { pipeline: 'p', agent: 'w', model: 'm' };

async function counterOf(
  { registry }: ReturnType<typeof countMetrics>,
  name: string,
  labels: Record<string, string>,
): Promise<number | undefined> {
  const all = await registry.getSingleMetric(name)?.get();
  return all?.values.find((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))?.value;
}

describe('the counters of a worker', () => {
  it('count replies, their tokens by kind and their cost', async () => {
    const counted = countMetrics();
    counted.metrics.replied({ ...who, usage });
    counted.metrics.replied({ ...who, usage });
    expect(await counterOf(counted, 'thermidor_agent_replies_total', who)).toBe(2);
    expect(await counterOf(counted, 'thermidor_tokens_total', { ...who, kind: 'input' })).toBe(20);
    expect(await counterOf(counted, 'thermidor_tokens_total', { ...who, kind: 'cache_write' })).toBe(2);
    expect(await counterOf(counted, 'thermidor_cost_microusd_total', who)).toBe(84);
  });

  it('count replies of unknown cost on their own, and nothing as their cost', async () => {
    const counted = countMetrics();
    counted.metrics.replied({ ...who, usage: { ...usage, costMicroUsd: null } });
    expect(await counterOf(counted, 'thermidor_unknown_cost_replies_total', who)).toBe(1);
    expect(await counterOf(counted, 'thermidor_cost_microusd_total', who)).toBeUndefined();
  });

  it('count refused calls apart from those that were made, and ends by their outcome', async () => {
    const counted = countMetrics();
    counted.metrics.called({ pipeline: 'p', agent: 'w', tool: 'run', refused: true });
    counted.metrics.tried({ pipeline: 'p', agent: 'w', outcome: 'model.overloaded' });
    expect(await counterOf(counted, 'thermidor_tool_calls_total', { tool: 'run', outcome: 'refused' })).toBe(1);
    expect(await counterOf(counted, 'thermidor_agent_tries_total', { outcome: 'model.overloaded' })).toBe(1);
  });

  it('have no more series than there is room for, whatever models and tools are called', async () => {
    const counted = countMetrics();
    for (let i = 0; i < 2100; i++) counted.metrics.called({ pipeline: 'p', agent: 'w', tool: `made up ${i}`, refused: true });
    const all = await counted.registry.getSingleMetric('thermidor_tool_calls_total')?.get();
    expect(all?.values).toHaveLength(2001);
    expect(await counterOf(counted, 'thermidor_tool_calls_total', { tool: 'other' })).toBe(100);
  });

  it('have no more series either if each agent has a name of its own, or each pipeline', async () => {
    const counted = countMetrics();
    for (let i = 0; i < 10_000; i++) {
      counted.metrics.replied({ pipeline: `p${i % 7}`, agent: `made up ${i}`, model: 'm', usage });
      counted.metrics.tried({ pipeline: `made up ${i}`, agent: 'w', outcome: 'done' });
    }
    const other = { pipeline: 'other', agent: 'other' };
    for (const [name, labels] of [
      ['thermidor_agent_replies_total', { ...other, model: 'other' }],
      ['thermidor_agent_tries_total', { ...other, outcome: 'done' }],
    ] as const) {
      expect((await counted.registry.getSingleMetric(name)?.get())?.values).toHaveLength(2001);
      expect(await counterOf(counted, name, labels)).toBe(8000);
    }
  });

  it('keep to one line and a short name, whatever an agent is called', async () => {
    const counted = countMetrics();
    counted.metrics.replied({ pipeline: 'p', agent: 'a"} 1\nevil_total{x="\\', model: 'm'.repeat(100_000), usage });
    const lines = (await counted.registry.metrics()).split('\n').filter((line) => !line.startsWith('#'));
    expect(lines.filter((line) => line.startsWith('evil'))).toEqual([]);
    const replies = lines.filter((line) => line.startsWith('thermidor_agent_replies_total'));
    expect(replies).toEqual([
      `thermidor_agent_replies_total{pipeline="p",agent="a\\"} 1\\nevil_total{x=\\"\\\\",model="${'m'.repeat(120)}"} 1`,
    ]);
  });
});

describe('what looks after a worker', () => {
  it('reads metrics, and learns whether the worker lives and whether it is ready', async () => {
    const listener = await watchListener({ port: 0 });
    try {
      const ask = async (path: string) => {
        const answer = await fetch(`${listener.url}${path}`);
        return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') ?? '' };
      };
      listener.metrics.replied({ ...who, usage });
      expect((await ask('/healthz')).status).toBe(200);
      expect(await ask('/readyz')).toMatchObject({ status: 503, text: 'the worker starts\n' });
      listener.report('worker');
      expect((await ask('/readyz')).status).toBe(200);
      listener.report('store', 'no store');
      listener.report('server', 'no server');
      expect(await ask('/readyz')).toMatchObject({ status: 503, text: 'no store\nno server\n' });
      expect((await ask('/healthz')).status).toBe(200);
      listener.report('server');
      expect(await ask('/readyz')).toMatchObject({ status: 503, text: 'no store\n' });
      listener.report('store');
      expect((await ask('/readyz')).status).toBe(200);
      const metrics = await ask('/metrics');
      expect(metrics.text).toContain('thermidor_cost_microusd_total{pipeline="p",agent="w",model="m"} 42');
      expect(metrics.type).toContain('text/plain');
      expect((await ask('/')).status).toBe(404);
      expect((await fetch(`${listener.url}/metrics`, { method: 'POST' })).status).toBe(405);
    } finally {
      await listener.close();
    }
  });

  it('is only heard on this machine unless a host is named, and says so if a port is taken', async () => {
    const first = await watchListener({ port: 0 });
    try {
      expect(new URL(first.url).hostname).toBe('127.0.0.1');
      await expect(watchListener({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    } finally {
      await first.close();
    }
  });
});
