import { changedArgs } from '../../cli/rerun/arg-readers';
import { beginningOf, unreadNotes } from '../../cli/rerun/beginning';
import type { Expr } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { agent, command, forEach, group, input, oneOf, parallel, pipeline, repeat, withParts } from '../support/steps';
import { planOf } from '../support/world';

const size: Expr = { kind: 'arg', name: 'size', path: [] };
const BLOBS: Record<string, Json> = {
  prompt: ['Look at ', { kind: 'arg', name: 'size', path: ['width'] }],
  with: { width: [{ kind: 'arg', name: 'size', path: [] }] },
  knows: { ...planOf([command('within')], { name: 'child', context: { size: 1 } }) } as unknown as Json,
  other: { ...planOf([command('within')], { name: 'child' }) } as unknown as Json,
};
const blob = async (name: string): Promise<string> => JSON.stringify(BLOBS[name]);
const reads = (id: string): Step => command(id, { command: { shell: ['echo ', size] } });
const first = command('first');
const last = command('last');

async function beginning(steps: Step[], more: Partial<Plan> = {}, failed?: string) {
  const plan = planOf(steps, more);
  return beginningOf(plan, await changedArgs(plan, { size: 1 }, { size: 2 }, blob), failed);
}

describe('a rerun with a changed arg begins at the first step that reads it', () => {
  it.each<[where: string, step: Step, from: string]>([
    ['a command', reads('at'), 'at'],
    ['a variable of its environment', command('at', { env: { SIZE: [size] } }), 'at'],
    ['its folder', command('at', { cwd: [size] }), 'at'],
    ['its stdin', command('at', { stdin: [size] } as never), 'at'],
    ['a condition', command('at', { when: { kind: 'not', operand: size } }), 'at'],
    ['the defaults of a question', input('at', { defaults: { width: [size] } } as never), 'at'],
    ['a prompt', agent('at', { prompt: 'prompt' }), 'at'],
    ['what an agent is given', agent('at', { input: 'with' }), 'at'],
    ['what a loop goes over', forEach('at', [command('in')], { items: size }), 'at'],
    ['a step in a loop', forEach('at', [command('in'), reads('reader')], { items: { kind: 'literal', value: [] } }), 'at'],
    ['a step in rounds', repeat('at', [command('in'), reads('reader')], 3), 'at'],
    ['a loop within a group', group('outer', [command('in'), repeat('at', [reads('reader')], 3)]), 'at'],
    ['a part of a pattern', withParts('at', [command('at_part'), reads('at_other')]), 'at'],
    ['a branch', parallel('par', [command('left'), group('right', [command('in'), reads('at')])]), 'at'],
    ['a case', oneOf('cases', [command('one'), reads('at')]), 'at'],
    ['a child pipeline', pipeline('at', 'child', { with: 'with', plan: 'other' }), 'at'],
    ['the message of an action', command('at', { onError: [{ kind: 'notify', channel: '#a', message: [size] }] }), 'at'],
  ])('%s', async (_, step, from) => {
    const found = await beginning([first, step, reads('later'), last]);
    expect(found).toEqual({ from, because: 'the first step that reads arg size' });
  });

  it('and not from one that comes first in the file alone', async () => {
    const graph = planOf([{ ...reads('b'), after: ['a'] }, reads('a'), first], {}, 'graph');
    const readers = await changedArgs(graph, { size: 1 }, { size: 2 }, blob);
    expect(beginningOf(graph, readers, undefined)?.from).toBe('a');
  });

  it('through the context of its agents: at the first of them, or at a child pipeline whose agents know it', async () => {
    const context = { context: { size: 0 } };
    expect((await beginning([first, agent('at'), last], context))?.from).toBe('at');
    expect(
      (await beginning([first, pipeline('unknown', 'child', { plan: 'other' }), pipeline('at', 'child', { plan: 'knows' })], context))
        ?.from,
    ).toBe('at');
    expect(await beginning([first, agent('at')])).toBeUndefined();
  });

  it('of a step that runs only if it is called: at the step that calls it', async () => {
    const called = { ...reads('mend'), onCall: true as const };
    const steps = [called, first, command('at', { onError: [{ kind: 'call', step: 'mend' }] }), last];
    expect((await beginning(steps))?.from).toBe('at');
  });
});

describe('of a run that failed it begins at what comes first', () => {
  const steps = [
    command('a'),
    pipeline('deploy', 'child', { plan: 'other' }),
    reads('b'),
    repeat('loop', [command('in'), command('out')], 3),
  ];
  it.each([
    ['a', { from: 'a' }],
    ['deploy/b', { from: 'deploy/b' }],
    ['b', { from: 'b', because: 'the first step that reads arg size' }],
    ['loop[2]/out', { from: 'b', because: 'the first step that reads arg size' }],
  ])('failed at %s', async (failed, from) => {
    expect(await beginning(steps, {}, failed)).toEqual(from);
  });

  it('and at the whole of a loop that reads it, wherever within it failed', async () => {
    expect((await beginning([first, repeat('loop', [reads('in'), command('out')], 3)], {}, 'loop[2]/out'))?.from).toBe('loop');
  });

  it('and at what failed if no step reads the change', async () => {
    expect(await beginning([first, last], {}, 'last')).toEqual({ from: 'last' });
  });
});

describe('a value that no step of the main block reads is said so', () => {
  const notes = async (more: Partial<Plan>, args: Record<string, Json> = { size: 2 }) => {
    const plan = planOf([first], more);
    return await unreadNotes(plan, await changedArgs(plan, { size: 1 }, args, blob), true, blob);
  };
  it.each<[Partial<Plan>, string]>([
    [{}, 'nothing reads arg size'],
    [{ finally: { order: 'sequence', steps: [reads('tell')] } }, 'only `finally` reads arg size, and that always runs again'],
    [{ output: size }, 'only the result of the run reads arg size'],
  ])('%j', async (more, note) => {
    expect(await notes(more)).toEqual([note]);
  });

  it('and so is one that is as it was', async () => {
    expect(await notes({}, { size: 1 })).toEqual(['--set changes nothing: the run before had the same args']);
  });
});
