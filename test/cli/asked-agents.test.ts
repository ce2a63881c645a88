import { agentsOf } from '../../cli/serving/asked-agents';
import type { Plan } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';

const BLOBS: Record<string, string> = {
  w: '{"id": "writer", "role": "x", "adapter": "claude", "tools": ["mcp__docs"]}',
  e: '{"id": "editor", "role": "x", "model": "fast"}',
};
const blob = async (digest: string) => BLOBS[digest];
const plan = (steps: Step[], agents: Plan['agents'] = {}): Plan => ({
  ...{ irVersion: 2, name: 'p', source: '0'.repeat(64), trigger: { kind: 'manual' } },
  ...{ agents, block: { order: 'sequence', steps } },
});
const command: Step = { id: 'c', kind: 'command', command: { argv: [['true']] } };

test('an agent may call on any other agent of the plan, so all of them are asked', async () => {
  const agents = { writer: { definition: 'w' }, editor: { definition: 'e' } };
  expect(await agentsOf(plan([{ id: 'a', kind: 'agent', agent: 'writer' }], agents), blob)).toEqual([
    { agent: 'writer', adapter: 'claude', tools: ['mcp__docs'] },
    { agent: 'editor', model: 'fast' },
  ]);
});

test('if no step has an agent, nobody is asked', async () => {
  expect(await agentsOf(plan([command], { writer: { definition: 'w' } }), blob)).toEqual([]);
});

test('agents of steps within others, and of child pipelines, count, each once', async () => {
  const child = plan([{ id: 'b', kind: 'agent', agent: 'editor' }], { editor: { definition: 'e' } });
  BLOBS['child'] = JSON.stringify(child);
  const within: Step = { id: 'g', kind: 'group', block: { order: 'sequence', steps: [{ id: 'a', kind: 'agent', agent: 'editor' }] } };
  const below: Step = { id: 'd', kind: 'pipeline', pipeline: 'p', plan: 'child' };
  expect(await agentsOf(plan([within, below], { editor: { definition: 'e' } }), blob)).toEqual([{ agent: 'editor', model: 'fast' }]);
});

test('a definition that is not here says nothing about how it is run', async () => {
  expect(await agentsOf(plan([{ id: 'a', kind: 'agent', agent: 'x' }], { x: { definition: 'lost' } }), blob)).toEqual([{ agent: 'x' }]);
});
