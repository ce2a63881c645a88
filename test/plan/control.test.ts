import { controlPlan } from '../../plan/steps/control';
import { agent, command } from '../support/steps';
import { planOf } from '../support/world';

describe('the part of a plan that enters workflow history', () => {
  const plan = planOf([
    command('a', { command: { shell: ['make ', 'all'] }, env: { A: ['b'] }, timeoutMs: 5 }),
    agent('b', { prompt: 'f'.repeat(64) }),
  ]);

  it('leaves out what only activities read', () => {
    expect(controlPlan(plan).block.steps).toEqual([
      { kind: 'command', id: 'a', timeoutMs: 5 },
      { kind: 'agent', id: 'b', agent: 'worker' },
    ]);
  });

  it('leaves the plan itself as it is', () => {
    const before = structuredClone(plan);
    controlPlan(plan);
    expect(plan).toEqual(before);
  });
});
