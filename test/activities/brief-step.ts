import type { AgentStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { KEY, type Workshop } from './workshop';

/** An agent step that has to output `Brief.json`, and the request that it gets. */

export const ADDRESS = 'bull#1~1';
export const INPUT = { run: KEY.run };

const SCHEMA = {
  type: 'object',
  required: ['thesis', 'key_levels', 'invalidation'],
  properties: {
    thesis: { type: 'string' },
    invalidation: { type: 'string' },
    key_levels: {
      type: 'array',
      items: { type: 'object', required: ['price', 'evidence'], properties: { price: { type: 'number' } } },
    },
  },
};

export const GOOD: Json = { thesis: 'up', invalidation: 'down', key_levels: [{ price: 1, evidence: 'x' }] };
export const GOOD_TEXT = JSON.stringify(GOOD);

export async function briefStep(shop: Workshop, more: Partial<AgentStep> = {}): Promise<AgentStep> {
  return { id: 'bull', kind: 'agent', agent: 'bull', output: { name: 'Brief.json', schema: await shop.blob(SCHEMA) }, ...more };
}
