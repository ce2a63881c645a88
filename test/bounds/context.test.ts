import { parseSettings } from '../../cli/settings/settings-file';
import { compilePipeline } from '../../compiler';
import { NO_INSTALLATION } from '../../compiler/installation';
import { contextProblem } from '../../plan/agents/agent-context';
import type { Plan } from '../../plan/plan';
import { checkArgs } from '../../plan/run/args';
import { mistakesOf } from '../cli/settings-mistakes';
import { runWhole } from '../support/whole-run';

/** Each task of each agent begins with the context, so the context is short from every source. */
const MEGABYTE = 'x'.repeat(1024 * 1024);
const PIPELINE = 'name: p\nowner: lead\nsteps:\n  - {id: work, agent: lead}\n';

function compiled(context: object, ofPlace: Record<string, string> = {}) {
  const files = new Map([['agents/lead.yaml', JSON.stringify({ role: 'Leads.', context })]]);
  const sources = { read: (path: string) => files.get(path), list: () => [] };
  const { diagnostics } = compilePipeline('p.yaml', PIPELINE, sources, { installation: { ...NO_INSTALLATION, context: ofPlace } });
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code, file }) => `${code} ${file}`);
}

test('a long one in an agent’s file is a mistake at its place, and a file of more than a megabyte is not read', () => {
  expect(compiled({ market: MEGABYTE.slice(0, 20_000) })).toEqual(['shape.out-of-range agents/lead.yaml']);
  expect(compiled({ market: MEGABYTE })).toEqual(['yaml.too-large agents/lead.yaml']);
});

test('one of many short values is as long as it is, names included', () => {
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`a_name_of_some_length_${i}`, 1]));
  expect(compiled(many)).toEqual(['shape.out-of-range agents/lead.yaml']);
});

test('one of a megabyte in the settings is a mistake, too', () => {
  expect(mistakesOf(`context: { market: ${MEGABYTE} }`).map(({ says }) => says)).toEqual([
    expect.stringMatching(/"context" has 1048\d\d\d bytes/),
  ]);
  expect(parseSettings('thermidor.yaml', 'context: { market: BTC }').context).toEqual({ market: 'BTC' });
});

test('one that is short in the file and short in the settings is a mistake if both together are not', () => {
  const half = 'x'.repeat(9000);
  expect(compiled({ note: half }, { hint: half })).toEqual(['shape.out-of-range agents/lead.yaml']);
  expect(compiled({ note: half }, { note: half })).toEqual([]);
});

describe('an arg that is written before a value of it', () => {
  const plan: Pick<Plan, 'args' | 'context'> = {
    args: { market: { type: 'string', default: 'BTC' }, text: {} },
    context: { market: 'BTC' },
  };

  it('is refused if it is a megabyte; another arg may be as long as it likes', () => {
    expect(checkArgs(plan, { text: MEGABYTE }).problems).toEqual([]);
    const { problems } = checkArgs(plan, { market: MEGABYTE });
    expect(problems).toMatchObject([{ arg: 'market', problem: expect.stringMatching(/each task/) }]);
    expect(JSON.stringify(problems).length).toBeLessThan(400);
  });

  it('is not repeated in what is wrong with it', () => {
    const wrong = checkArgs({ args: { market: { type: 'number' }, side: { enum: ['long'] } } }, { market: MEGABYTE, side: MEGABYTE });
    expect(wrong.problems.map(({ arg }) => arg)).toEqual(['market', 'side']);
    expect(JSON.stringify(wrong.problems).length).toBeLessThan(1000);
  });

  it('opens no run', async () => {
    const files = { 'agents/lead.yaml': 'role: Leads.\ncontext: { market: BTC }\n' };
    const run = runWhole('owner: lead\nsteps:\n  - {id: work, agent: lead}\n', { files, args: { market: MEGABYTE } });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'args.invalid' });
    expect(run.requests).toEqual([]);
  });
});

test('what is within the limit is reported as it is', () => {
  expect(contextProblem({ market: 'BTC/USDT', desk: 'x'.repeat(16_000) })).toBeUndefined();
});
