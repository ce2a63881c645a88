import { compilePipeline, type Diagnostic, type Installation, NO_INSTALLATION } from '../../compiler';
import type { PriceTable } from '../../plan/budgets/price';

const none = { read: () => undefined, list: () => [] };

function diagnose(text: string, installation: Installation): Diagnostic[] {
  return compilePipeline('p.yaml', text, none, { installation }).diagnostics;
}

const withBoard = (...members: string[]): Installation => ({
  ...NO_INSTALLATION,
  directory: { people: { ann: {}, bob: {}, cy: {} }, groups: { board: members } },
});

describe('approvers', () => {
  const gate = 'name: p\nsteps: [{id: a, type: approval, approvers: [board], quorum: 2}]\n';

  it('are expanded when the plan is made, so that a later member changes another plan', () => {
    const plans = [withBoard('ann', 'bob'), withBoard('ann', 'cy')].map((installation) =>
      compilePipeline('p.yaml', gate, none, { installation }),
    );
    expect(plans.map(({ plan }) => plan?.block.steps[0])).toMatchObject([{ approvers: ['ann', 'bob'] }, { approvers: ['ann', 'cy'] }]);
  });

  it('are counted against the quorum after that', () => {
    expect(diagnose(gate, withBoard('ann')).map(({ code }) => code)).toEqual(['gate.quorum-too-large']);
  });

  it('may be anybody if the settings declare nobody', () => {
    expect(diagnose(gate.replace('board', 'eve, board'), NO_INSTALLATION)).toEqual([]);
  });
});

describe('what a model costs', () => {
  const text = (budget: string): string => `name: p\nbudget: ${budget}\nagents: {w: {role: x, model: big}}\nsteps: [{id: a, agent: w}]\n`;
  const priced = (prices: PriceTable): Installation => ({ ...NO_INSTALLATION, prices });
  const other = priced({ models: { small: { input: 1, output: 1 } } });

  it('is not asked for without a price table, or without a ceiling in dollars', () => {
    expect(diagnose(text('{usd: 1}'), NO_INSTALLATION)).toEqual([]);
    expect(diagnose(text('{tokens: 1}'), other)).toEqual([]);
    expect(diagnose(text('{usd: 1}'), priced({ models: { big: { input: 1, output: 1 } } }))).toEqual([]);
  });

  it('is warned of if it is unknown, with what on_unknown_cost makes of it', () => {
    const [held] = diagnose(text('{usd: 1}'), other);
    const [allowed] = diagnose(text('{usd: 1, on_unknown_cost: allow}'), other);
    expect([held, allowed]).toMatchObject([
      { code: 'budget.unknown-cost', severity: 'warning' },
      { code: 'budget.unknown-cost', severity: 'warning' },
    ]);
    expect(held?.hint).toContain('on_unknown_cost: allow');
    expect(held?.message).not.toBe(allowed?.message);
  });
});

describe('escalation', () => {
  const agents = 'agents: {a: {role: x, reports_to: b}, b: {role: x, reports_to: c}, c: {role: x}}\nsteps: [{id: s, run: "true"}]\n';
  const adviser = (id: string) => ({ kind: 'agent', id, decides: 'human' });
  const chain = (written: string): unknown =>
    compilePipeline('p.yaml', `name: p\nescalation: ${written}\n${agents}`, none).plan?.escalation;

  it('goes on from a last agent up its reports_to, and ends with a human', () => {
    expect(chain('[a]')).toEqual([adviser('a'), adviser('b'), adviser('c'), { kind: 'human' }]);
  });

  it('asks nobody twice on the way up', () => {
    expect(chain('[b, a]')).toEqual([adviser('b'), adviser('a'), adviser('c'), { kind: 'human' }]);
  });

  it('ends if the author ends it with a person', () => {
    expect(chain('[a, human]')).toEqual([adviser('a'), { kind: 'human' }]);
  });

  it('lets an agent decide on the level that says so, and on no other', () => {
    expect(chain('[{agent: a, decides: agent}]')).toEqual([
      { kind: 'agent', id: 'a', decides: 'agent' },
      adviser('b'),
      adviser('c'),
      { kind: 'human' },
    ]);
  });
});
