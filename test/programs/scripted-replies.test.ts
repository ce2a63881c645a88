import { field, type Json } from '../../plan/text/json';
import { playedBy, readMerged, readPipeline, replyOf, schemaOf, scriptNames } from './program-files';
import { missingFields, problemsOf, unnamedFields } from './schema-check';

const main = readPipeline('daily-quant-pipeline');
/** Replies that are incomplete by intent: the fields that they report as missing, and those that are absent. */
const INCOMPLETE: Record<string, { says: string[]; lacks: string[] }> = {
  'daily-quant-missing-fields bull 0': {
    says: ['invalidation', 'key_levels[].evidence'],
    lacks: ['invalidation', 'key_levels[].evidence'],
  },
  'daily-quant-missing-fields bull 1': { says: ['invalidation'], lacks: [] },
};
/** The replies for steps that have a schema. Agents of an escalation have none. */
const replies = scriptNames.flatMap((name) => {
  const script = readMerged(name);
  const [program] = playedBy(script);
  return Object.entries(script.replies).flatMap(([step, entries]) => {
    const schema = program && schemaOf(program, step);
    return entries.flatMap(({ json }, i) =>
      json === undefined || schema === undefined ? [] : [{ place: `${name} ${step} ${i}`, step, schema, json }],
    );
  });
});
const complete = replies.filter(({ place }) => !(place in INCOMPLETE));

it.each(complete)('$place satisfies its schema', ({ schema, json }) => {
  expect(problemsOf(schema, json)).toEqual([]);
});

it('a step has one schema in every pipeline that a script plays', () => {
  for (const name of scriptNames) {
    const script = readMerged(name);
    for (const step of Object.keys(script.replies))
      expect(new Set(playedBy(script).map((program) => schemaOf(program, step))).size).toBe(1);
  }
});

it.each(replies)('$place has no field that its schema does not name', ({ schema, json }) => {
  expect(unnamedFields(schema, json)).toEqual([]);
});

it.each(Object.entries(INCOMPLETE))('%s lacks exactly what it is meant to lack, and says what is missing', (place, { says, lacks }) => {
  const reply = replies.find((r) => r.place === place)!;
  const schema = schemaOf(main, reply.step)!;
  expect(missingFields(schema, reply.json)).toEqual(lacks);
  expect(problemsOf(schema, reply.json).every((problem) => problem.keyword === 'required')).toBe(true);
  expect([...(field(reply.json, 'missing_fields') as string[])].sort()).toEqual(says);
});

it.each(scriptNames)('%s answers the first request to every agent of a pipeline that it plays', (name) => {
  const script = readMerged(name);
  const unanswered = playedBy(script).map(({ steps }) => steps.filter(({ id, agent }) => agent !== undefined && !replyOf(script, id)));
  expect(unanswered).toContainEqual([]);
});

describe('what each script tells', () => {
  const said = (name: string, step: string, round = 1, again = 1, ask = 1) => replyOf(readMerged(name), step, round, again, ask);
  const value = (name: string, step: string, round: number, path: string): Json | undefined =>
    path.split('.').reduce<Json | undefined>((at, key) => (at === undefined ? at : field(at, key)), said(name, step, round)?.json);
  const verdicts = (name: string, rounds: number) => Array.from({ length: rounds }, (_, i) => value(name, 'review', i + 1, 'verdict'));
  const choices = (name: string) =>
    readMerged(name).people.map((p) => [p['gate'], Object.keys(p).find((k) => k !== 'gate' && k !== 'after')]);

  it('daily-quant: one revision that mends what the reviewer named, a pass, proceed, approved', () => {
    expect(verdicts('daily-quant', 2)).toEqual(['revise', 'pass']);
    const issues = value('daily-quant', 'review', 1, 'issues') as Json[];
    const named = issues.map((issue) => String(field(issue, 'field')));
    for (const path of named) expect(value('daily-quant', 'converge', 2, path)).not.toEqual(value('daily-quant', 'converge', 1, path));
    expect(value('daily-quant', 'data_analysis', 1, 'recommendation')).toBe('proceed');
    expect(choices('daily-quant')).toEqual([['approve', 'approve']]);
  });

  it('daily-quant: the ratio of the thesis that passes follows from its prices', () => {
    const [low, high] = value('daily-quant', 'converge', 2, 'entry_zone') as [number, number];
    const [target] = value('daily-quant', 'converge', 2, 'take_profit') as [number];
    const middle = (low + high) / 2;
    const ratio = (target - middle) / (middle - (value('daily-quant', 'converge', 2, 'stop_loss') as number));
    expect(value('daily-quant', 'converge', 2, 'risk_reward')).toBeCloseTo(ratio, 2);
  });

  it('block, block-passed, rejected: the person at the gate decides', () => {
    expect(verdicts('daily-quant-block', 1)).toEqual(['block']);
    expect(choices('daily-quant-block')).toEqual([['review', 'reject']]);
    expect(verdicts('daily-quant-block-passed', 1)).toEqual(['block']);
    expect(choices('daily-quant-block-passed')).toEqual([
      ['review', 'approve'],
      ['approve', 'approve'],
    ]);
    expect(verdicts('daily-quant-rejected', 2)).toEqual(['revise', 'pass']);
    expect(choices('daily-quant-rejected')).toEqual([['approve', 'reject']]);
  });

  it('revisions-used-up: four rounds sent back, then the gate of the fourth', () => {
    expect(verdicts('daily-quant-revisions-used-up', 4)).toEqual(['revise', 'revise', 'revise', 'revise']);
    expect(choices('daily-quant-revisions-used-up')).toEqual([
      ['review#4', 'approve'],
      ['approve', 'approve'],
    ]);
  });

  it('revise-bull: the researcher is named, and its second brief and thesis differ', () => {
    expect(value('daily-quant-revise-bull', 'review', 1, 'revise_target')).toBe('bullish_researcher');
    expect(verdicts('daily-quant-revise-bull', 2)).toEqual(['revise', 'pass']);
    for (const step of ['bull', 'converge']) {
      expect(said('daily-quant-revise-bull', step, 2)?.json).not.toEqual(said('daily-quant-revise-bull', step, 1)?.json);
    }
  });

  it('missing-fields: the respawn is complete', () => {
    expect(problemsOf('Bullish_Brief', said('daily-quant-missing-fields', 'bull', 1, 2)?.json ?? null)).toEqual([]);
  });

  it('timeout and api-error: the first try fails, the second answers; api-down never does', () => {
    expect(said('daily-quant-timeout', 'intel')?.fail?.code).toBe('agent.timeout');
    expect(said('daily-quant-timeout', 'intel', 1, 2)?.json).toBeDefined();
    expect(said('daily-quant-api-error', 'structure')?.fail?.code).toBe('model.api-error');
    expect(said('daily-quant-api-error', 'structure', 1, 2)?.json).toBeDefined();
    expect(said('daily-quant-api-down', 'structure', 1, 2)?.fail?.code).toBe('model.api-error');
  });

  it('adjust: the analyst does not say proceed', () => {
    expect(value('daily-quant-adjust', 'data_analysis', 1, 'recommendation')).toBe('adjust');
  });
});
