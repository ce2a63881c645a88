import { execFileSync } from 'node:child_process';
import { answerLines } from '../../cli/rendering/answer';
import type { BudgetOrder } from '../../plan/budgets/budget';
import type { GateForm, GateView } from '../../plan/people/gate';
import { parseJson } from '../../plan/text/json-text';

const SERVER = { address: '127.0.0.1:7233', namespace: 'default' };

/** The words into which a shell splits a line. */
function words(line: string): string[] {
  return execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
    .split('\n')
    .slice(0, -1);
}

test('an approval is answered by approve and reject', () => {
  const lines = answerLines('daily-7f3k2a', { step: 'approve', choices: ['approve', 'reject'], approvers: ['chairman'] }, true, SERVER);
  expect(lines.map((line) => line.choice)).toEqual(['approve', 'reject']);
  expect(words(lines[0]!.thermidor)).toEqual(['thermidor', 'approve', 'daily-7f3k2a', '--by', 'chairman']);
  expect(words(lines[0]!.temporal ?? '')).toEqual([
    ...['temporal', 'workflow', 'signal', '-w', 'daily-7f3k2a', '--name', 'approve'],
    ...['--input', '{"by":"chairman"}', '--address', '127.0.0.1:7233'],
  ]);
});

test('the line of a memo that another version wrote, with null in place of a list', () => {
  const memo = parseJson<GateView>('{"step":"approve","choices":["approve"],"approvers":["cfo"],"approvedBy":null,"notBy":null}');
  const [line] = answerLines('r', memo, true, SERVER);
  expect(words(line!.thermidor)).toEqual(['thermidor', 'approve', 'r', '--by', 'cfo']);
});

test('a default keeps how its numbers are written', () => {
  const gate = { step: 'ask', kind: 'input' as const, choices: ['respond'] };
  const lines = (form: string) => answerLines('r', gate, true, SERVER, parseJson<GateForm>(form))[0]!;
  for (const [form, response] of [
    ['{"prompt":"?","defaults":1.10}', '1.10'],
    ['{"prompt":"?","defaults":{"price":2.50,"id":1234567890123456789}}', '{"price":2.50,"id":1234567890123456789}'],
    ['{"prompt":"?","responseSchema":{"type":"object","properties":{"price":{"default":3.0}}}}', '{"price":3.0}'],
  ] as const) {
    expect(words(lines(form).thermidor)).toContain(response);
    expect(words(lines(form).temporal ?? '')).toContain(`{"by":"YOU","response":${response}}`);
  }
});

test('if several gates are open, each line names its own', () => {
  const [approve, revise] = answerLines('r', { step: 'review#2', choices: ['approve', 'revise'] }, false, SERVER);
  expect(words(approve!.thermidor)).toContain('review#2');
  expect(JSON.parse(words(approve!.temporal ?? '')[8]!)).toMatchObject({ step: 'review#2' });
  expect(words(revise!.thermidor)).toEqual([
    'thermidor',
    'respond',
    'r',
    'review#2',
    '--response',
    'revise',
    '--by',
    'YOU',
    '--comment',
    'WHY',
  ]);
  expect(JSON.parse(words(revise!.temporal ?? '')[8]!)).toMatchObject({ step: 'review#2', response: 'revise' });
});

test('nothing in a name can become code', () => {
  const nasty = "eve'; rm -rf $HOME `id` #";
  const [line] = answerLines(nasty, { step: 'tests[3]', choices: ['approve'], approvers: [nasty] }, false, { ...SERVER, namespace: 'a b' });
  expect(words(line!.thermidor)).toEqual(['thermidor', 'approve', nasty, 'tests[3]', '--by', nasty]);
  expect(words(line!.temporal ?? '').slice(-2)).toEqual(['--namespace', 'a b']);
});

test('a budget gate is answered by a new ceiling of what is scarcest, or by ending the run', () => {
  const budget = {
    tokens: { ceiling: 1000, spent: 100, reserved: 0, left: 900 },
    costMicroUsd: { ceiling: 3_000_000, spent: 2_900_000, reserved: 0, left: 100_000 },
  };
  const gate = { step: 'bull', kind: 'budget' as const, choices: ['extend_budget', 'abort'] };
  const [extend, abort] = answerLines('r', { ...gate, budget }, true, SERVER);
  expect([extend?.thermidor, abort?.thermidor]).toEqual(['thermidor budget r --usd 6', 'thermidor abort r']);
  expect(extend?.temporal).toContain('--name extend_budget --input \'{"by":"YOU","usd":6}\'');
  const [unknown] = answerLines('r', gate, false, SERVER);
  expect(unknown?.thermidor).toBe('thermidor budget r --tokens 200000 --step bull');
});

test('a brief that is held at its tokens or minutes is resumed with more, and its calls of tools are raised as those of any budget', () => {
  const gate = { step: 'brief[2]/brief_executor', kind: 'budget' as const, choices: [], roleTeam: true as const };
  const lineOf = (raise: BudgetOrder, onlyGate = true) => answerLines('r', { ...gate, raise }, onlyGate, SERVER)[0]?.thermidor;
  expect(lineOf({ tokens: 6000 })).toBe('thermidor brief resume r --max-tokens 6000');
  expect(lineOf({ wall_clock: '40m' })).toBe('thermidor brief resume r --max-minutes 40');
  expect(lineOf({ tool_calls_per_step: 4 })).toBe('thermidor budget r --tool-calls 4');
  expect(lineOf({ tokens: 6000 }, false)).toBe(`thermidor budget r --tokens 6000 --step '${gate.step}'`);
});

test('an answer that has work tried again is sent with a comment', () => {
  const gate = { step: 'brief[3]/brief_operator', choices: ['retry', 'pass', 'needs_retry'] };
  const comments = answerLines('r', gate, true, SERVER).map(({ thermidor }) => thermidor.includes(' --comment WHY'));
  expect(comments).toEqual([true, false, true]);
});

test('a budget gate is answered by what its run says would let it go on, whatever else has a ceiling', () => {
  const budget = { tokens: { ceiling: 1000, spent: 990, reserved: 0, left: 10 } };
  const lineOf = (raise: BudgetOrder) =>
    answerLines('r', { step: 'bull', kind: 'budget', choices: ['extend_budget', 'abort'], budget, raise }, true, SERVER)[0];
  expect(lineOf({ on_unknown_cost: 'allow' })?.thermidor).toBe('thermidor budget r --on-unknown-cost allow');
  expect(lineOf({ wall_clock: '40m' })?.thermidor).toBe('thermidor budget r --wall-clock 40m');
  expect(lineOf({ tool_calls_per_step: 6 })?.thermidor).toBe('thermidor budget r --tool-calls 6');
  expect(lineOf({ tool_calls_per_step: 6 })?.temporal).toContain('\'{"by":"YOU","tool_calls_per_step":6}\'');
});

test('a gate that wants proof offers no plain signal, and one that wants a comment says so', () => {
  const gate = { step: 'ask', choices: ['approve', 'reject'], identity: 'proven', comment: 'on_reject' } as const;
  const [approve, reject] = answerLines('r', gate, true, SERVER);
  expect(approve).toEqual({ choice: 'approve', thermidor: 'thermidor approve r --by YOU --token secret://env/YOUR_TOKEN' });
  expect(words(reject?.thermidor ?? '')).toEqual(expect.arrayContaining(['--comment', '--token']));
  const known = { ...SERVER, tokens: { ann: 'secret://env/ANN_TOKEN' } };
  expect(answerLines('r', { ...gate, approvers: ['ann', 'bob'] }, true, known)[0]?.thermidor).toBe(
    'thermidor approve r --by ann --token secret://env/ANN_TOKEN',
  );
  expect(answerLines('r', { ...gate, approvers: ['constructor'] }, true, known)[0]?.thermidor).toMatch(/secret:\/\/env\/YOUR_TOKEN$/);
});

test('the line names somebody whose vote is still taken: nobody who has voted, and nobody who may not', () => {
  const gate = { step: 'ask', choices: ['approve'], approvers: ['ann', 'bob', 'cy'], approvedBy: ['ann'], notBy: ['bob'] };
  expect(answerLines('r', gate, true, SERVER)[0]?.thermidor).toBe('thermidor approve r --by cy');
  expect(answerLines('r', { ...gate, approvedBy: ['ann', 'cy'] }, true, SERVER)[0]?.thermidor).toBe('thermidor approve r --by YOU');
});

test('every line of ours leads to the server that the command was led to', () => {
  const place = { ...SERVER, flags: ' --address there:7233' };
  const budget = { step: 'bull', kind: 'budget' as const, choices: ['extend_budget', 'abort'] };
  for (const gate of [{ step: 'ask', choices: ['approve', 'revise'], comment: 'always' } as const, budget]) {
    for (const { thermidor } of answerLines('r', gate, true, place)) expect(thermidor).toMatch(/ --address there:7233$/);
  }
});

test('a vote is given with its reasons, and an option by its name', () => {
  const gate = {
    ...{ step: 'decide[1]/decide_cfo', choices: ['A', 'reject', 'abstain'], approvers: ['cfo'], comment: 'always' as const },
    ballot: { proposalId: 'decide-1', options: ['A', 'B'] },
  };
  const lines = answerLines('r', gate, true, SERVER);
  expect(lines.map(({ thermidor }) => words(thermidor).slice(3, -4))).toEqual([['--option', 'A'], ['--reject'], ['--abstain']]);
  expect(words(lines[0]!.thermidor).slice(-2)).toEqual(['--rationale', 'WHY']);
  expect(JSON.parse(words(lines[0]!.temporal ?? '')[8]!)).toEqual({ by: 'cfo', response: 'A', comment: 'WHY' });
});
