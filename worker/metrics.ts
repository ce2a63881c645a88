import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../activities/metrics';
import { boundedLabels } from './bounded-labels';

/** Counts for Prometheus. Loaded only if a worker is monitored. */
export interface CountedMetrics {
  metrics: Metrics;
  registry: Registry;
}

const TOKENS = [
  ['inputTokens', 'input'],
  ['outputTokens', 'output'],
  ['cacheReadTokens', 'cache_read'],
  ['cacheWriteTokens', 'cache_write'],
] as const;

/**
 * Counters of the activity of this worker's agents, and the usual ones of its process. Cost of agents is counted in integer millionths of a
 * dollar; replies whose cost is unknown are counted separately, so that nobody takes them for free.
 */
export function countMetrics(): CountedMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const who = ['pipeline', 'agent', 'model'] as const;
  const replies = counter(registry, 'thermidor_agent_replies_total', 'Replies of agents that were paid for', who);
  const tokens = counter(registry, 'thermidor_tokens_total', 'Tokens of those replies', [...who, 'kind']);
  const cost = counter(registry, 'thermidor_cost_microusd_total', 'Their known cost, in millionths of a US dollar', who);
  const unknown = counter(registry, 'thermidor_unknown_cost_replies_total', 'Replies whose cost is unknown', who);
  const calls = counter(registry, 'thermidor_tool_calls_total', 'Calls of tools by agents; refused ones did nothing', [
    'pipeline',
    'agent',
    'tool',
    'outcome',
  ]);
  const tries = counter(
    registry,
    'thermidor_agent_tries_total',
    'Calls of agents that have ended or paused; outcome is `done` or the code of a failure',
    ['pipeline', 'agent', 'outcome'],
  );
  const waits = new Histogram({
    name: 'thermidor_first_try_wait_seconds',
    help: 'How long the work of steps waited for a worker before its first try',
    labelNames: ['activity'],
    buckets: [0.05, 0.2, 1, 5, 15, 60, 300, 1800],
    registers: [registry],
  });
  const traced = counter(registry, 'thermidor_trace_spans_total', 'Spans of traces; dropped ones were given up', ['outcome']);
  return {
    registry,
    metrics: {
      replied({ pipeline, agent, model = '', usage }) {
        const labels = { pipeline, agent, model };
        replies(labels, 1);
        for (const [key, kind] of TOKENS) if (usage[key] > 0) tokens({ ...labels, kind }, usage[key]);
        if (usage.costMicroUsd === null) unknown(labels, 1);
        else cost(labels, usage.costMicroUsd);
      },
      called: ({ pipeline, agent, tool, refused }) => calls({ pipeline, agent, tool, outcome: refused ? 'refused' : 'done' }, 1),
      tried: ({ pipeline, agent, outcome }) => tries({ pipeline, agent, outcome }, 1),
      traced: ({ spans, outcome }) => traced({ outcome }, spans),
      waited: ({ activity, ms }) => waits.observe({ activity }, ms / 1000),
    },
  };
}

function counter<L extends string>(registry: Registry, name: string, help: string, labelNames: readonly L[]) {
  const made = new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const bounded = boundedLabels<L>();
  return (labels: Record<L, string>, by: number): void => made.inc(bounded(labels), by);
}
