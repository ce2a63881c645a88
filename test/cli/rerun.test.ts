import { withArgs } from '../../cli/pipelines/run-args';
import { stepsReadingArgs } from '../../cli/rerun/arg-readers';
import type { Expr } from '../../plan/expressions/expression';
import { agent, approval, command, forEach, group, parallel, pipeline } from '../support/steps';
import { planOf } from '../support/world';

const arg = (name: string): Expr => ({ kind: 'arg', name, path: [] });
const BLOBS: Record<string, unknown> = {
  prompt: ['Look at ', { kind: 'arg', name: 'market', path: ['symbol'] }],
  with: { where: [{ kind: 'arg', name: 'market', path: [] }] },
  plain: ['Look'],
};
const blob = async (name: string): Promise<string> => JSON.stringify(BLOBS[name]);
const readers = (plan: Parameters<typeof stepsReadingArgs>[0], ...args: string[]) => stepsReadingArgs(plan, new Set(args), blob);

test('the steps that read an arg are found wherever it is read: conditions, commands, prompts, the args of a child', async () => {
  const plan = planOf([
    command('condition', { when: { kind: 'binary', operator: '==', left: arg('market'), right: { kind: 'literal', value: 'x' } } }),
    command('text', { command: { shell: ['echo ', arg('market')] } }),
    command('other', { command: { shell: ['echo ', arg('size')] } }),
    agent('prompted', { prompt: 'prompt' }),
    agent('plain', { prompt: 'plain' }),
    approval('asked', { prompt: ['Trade ', arg('market'), '?'] }),
    pipeline('child', 'release', { with: 'with' }),
  ]);
  await expect(readers(plan, 'market')).resolves.toEqual(['condition', 'text', 'prompted', 'asked', 'child']);
  await expect(readers(plan, 'size', 'nothing')).resolves.toEqual(['other']);
  await expect(readers(plan)).resolves.toEqual([]);
});

test('what is within a step is reported by itself, and what a loop goes over by the loop', async () => {
  const reads = { command: { shell: ['echo ', arg('market')] } };
  const plan = planOf([
    parallel('par', [group('left', [command('a', reads), command('b')]), command('right')]),
    forEach('each', [command('c')], { items: arg('market') }),
  ]);
  await expect(readers(plan, 'market')).resolves.toEqual(['a', 'each']);
});

test('in the Lobster dialect every command finds all args in its environment', async () => {
  const plan = planOf([command('a'), approval('ask')], { dialect: 'lobster' });
  await expect(readers(plan, 'market')).resolves.toEqual(['a']);
});

describe('args that are given again', () => {
  const plan = planOf([command('a')], { args: { market: { type: 'string', required: true }, size: { type: 'integer', default: 1 } } });

  it('lie over those of the run before, and are checked with them', () => {
    expect(withArgs(plan, { market: 'EURUSD', size: 3 }, ['size=4'], '--set')).toEqual({ market: 'EURUSD', size: 4 });
  });

  it.each([
    ['of a wrong type', ['size=much']],
    ['unknown', ['volume=4']],
  ])('are refused where they are %s', (_, pairs) => {
    expect(() => withArgs(plan, { market: 'EURUSD' }, pairs, '--set')).toThrow(expect.objectContaining({ code: 'args.invalid' }));
  });

  it('are refused without a value', () => {
    expect(() => withArgs(plan, { market: 'EURUSD' }, ['size'], '--set')).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
