import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Metrics } from '../activities/metrics';

/** Counts for Prometheus. Loaded only if a worker is monitored. */
export interface CountedMetrics {
  metrics: Metrics;
  registry: Registry;
}

/** How many series one counter has; further ones are counted under `other`, because others than us name models and tools. */
const MOST_SERIES = 2000;
const OTHER = 'other';
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
  const replies = counter(registry, 'thermidor_agent_replies_total', 'Replies of agents that were paid for', who, 'model');
  const tokens = counter(registry, 'thermidor_tokens_total', 'Tokens of those replies', [...who, 'kind'], 'model');
  const cost = counter(registry, 'thermidor_cost_microusd_total', 'Their known cost, in millionths of a US dollar', who, 'model');
  const unknown = counter(registry, 'thermidor_unknown_cost_replies_total', 'Replies whose cost is unknown', who, 'model');
  const calls = counter(
    registry,
    'thermidor_tool_calls_total',
    'Calls of tools by agents; refused ones did nothing',
    ['pipeline', 'agent', 'tool', 'outcome'],
    'tool',
  );
  const tries = counter(
    registry,
    'thermidor_agent_tries_total',
    'Calls of agents that have ended or paused; outcome is `done` or the code of a failure',
    ['pipeline', 'agent', 'outcome'],
    'agent',
  );
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
    },
  };
}

/** @param open the label that others than us give values to */
function counter<L extends string>(registry: Registry, name: string, help: string, labelNames: readonly L[], open: NoInfer<L>) {
  const made = new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const seen = new Set<string>();
  return (labels: Record<L, string>, by: number): void => {
    const key = JSON.stringify(labelNames.map((label) => labels[label]));
    const known = seen.has(key) || seen.size < MOST_SERIES;
    if (known) seen.add(key);
    made.inc(known ? labels : { ...labels, [open]: OTHER }, by);
  };
}
