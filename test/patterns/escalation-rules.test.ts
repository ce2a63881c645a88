import { type DiagnoseGiven, type DiagnoseValues, diagnose, type EscalationLevel, openIssue } from '../../kinds/escalate/rules/diagnose';
import type { EscalationRecord } from '../../kinds/escalate/rules/issue';
import { readAnswer, readRecord } from '../../kinds/escalate/rules/issue';
import { issueText } from '../../plan/patterns/called';
import type { JsonObject } from '../../plan/text/json';
import { sweepCount } from '../support/sweep';

/** The next receiver of an issue: tested by a table, and by random escalations that are compared with a naive count. */

const LEVELS: EscalationLevel[] = [
  { name: 'e', kind: 'agent', attempts: 2 },
  { name: 's', kind: 'agent', attempts: 1 },
  { name: 'human', kind: 'person', attempts: 1 },
];

function next(move: DiagnoseGiven['move'], answer: JsonObject, more: Partial<DiagnoseGiven> = {}): DiagnoseValues['next'] {
  const given: DiagnoseGiven = { move, levels: LEVELS, replans: true, remembers: false, ...more };
  return diagnose(given, { answer: { solved: false, diagnosis: 'none', ...answer } }).values.next;
}

const ask = (level: number, attempt = 1) => ({ kind: 'ask', level, attempt }) as const;
const apply = (level: number, attempt = 1) => ({ kind: 'apply', level, attempt }) as const;
const end = (outcome: string) => ({ kind: 'end', outcome });

describe('who is next', () => {
  it.each<[string, DiagnoseGiven['move'], JsonObject, Partial<DiagnoseGiven>, object]>([
    ['success · an answer that says solved ends it', ask(0), { solved: true }, {}, end('solved')],
    ['success · not where the command says otherwise', ask(0), { solved: true }, { check: 'exit 1' }, ask(0, 2)],
    ['workflow · a level is asked as often as it has attempts', ask(0), {}, {}, ask(0, 2)],
    ['workflow · and then the next one', ask(0, 2), {}, {}, ask(1)],
    ['workflow · what L0 recommends it tries itself', ask(0), { recommendation: 'x' }, {}, ask(0, 2)],
    ['workflow · what L1 recommends the first agent carries out', ask(1), { recommendation: 'x' }, {}, apply(1)],
    ['workflow · a redefined task goes to the first agent', ask(1), { redefined_task: 'x' }, {}, apply(1)],
    ['workflow · what was carried out and has not solved it goes up', apply(1), {}, {}, ask(2)],
    ['workflow · what was carried out and has solved it ends it', apply(1), { solved: true }, {}, end('solved')],
    ['fallbacks · a root cause ends it', ask(1), { root_cause: 'x', recommendation: 'y' }, {}, end('root_cause')],
    ['fallbacks · without on_root_cause it goes on', ask(1), { root_cause: 'x' }, { replans: false }, ask(2)],
    ['fallbacks · behind the last level it is unsolved', ask(2), {}, {}, end('unsolved')],
    ['fallbacks · who fails has made an attempt', ask(1), { solved: true }, { failed: 'agent.timeout' }, ask(2)],
    [
      'time-out · a workaround is taken by the first agent',
      ask(2),
      {},
      { person: { choice: 'workaround' } },
      { kind: 'workaround', level: 2 },
    ],
    ['time-out · and ends it', { kind: 'workaround', level: 2 }, {}, {}, end('workaround')],
    ['time-out · unless that fails as well', { kind: 'workaround', level: 2 }, {}, { failed: 'x' }, end('unsolved')],
    ['roles · a person who gives up ends it', ask(2), {}, { person: { choice: 'abort' } }, end('unsolved')],
    ['roles · as one does whose silence means it', ask(2), {}, { person: { choice: 'reject' } }, end('unsolved')],
    ['roles · a person who has solved it ends it', ask(2), {}, { person: { choice: 'solved', comment: 'x' } }, end('solved')],
    ['roles · a person who says how', ask(2), {}, { person: { choice: 'solution', comment: 'x' } }, apply(2)],
    ['roles · a person who redefines the task', ask(2), {}, { person: { choice: 'redefine', comment: 'x' } }, apply(2)],
    ['roles · a person who has it planned anew', ask(2), {}, { person: { choice: 'replan', comment: 'x' } }, end('root_cause')],
  ])('CP-5 · %s', (_rule, move, answer, more, expected) => {
    expect(next(move, answer, more)).toEqual(expected);
  });

  it('CP-5 · workflow · random escalations end, ask no level more often than it has attempts, and never go down', () => {
    let seed = 17;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let run = 0; run < sweepCount(400, 2000); run++) {
      const levels: EscalationLevel[] = Array.from({ length: 1 + random(5) }, (_, i) => ({
        name: `a${i}`,
        kind: 'agent',
        attempts: 1 + random(3),
      }));
      let move: DiagnoseGiven['move'] = ask(0);
      let record: EscalationRecord = readRecord(null);
      const asked = levels.map(() => 0);
      let before = 0;
      for (;;) {
        if (move.kind === 'ask') asked[move.level] = (asked[move.level] ?? 0) + 1;
        expect(move.level).toBeGreaterThanOrEqual(before);
        before = move.level;
        const solved = random(9) === 0;
        const answer = { solved, diagnosis: 'd', tried: ['t'], ...(random(2) === 0 ? { recommendation: 'r' } : {}) };
        const made = diagnose({ move, levels, replans: false, remembers: false }, { record, answer });
        record = made.result;
        const { next: then, raised } = made.values;
        expect(raised !== undefined).toBe(then.kind === 'ask' && then.level > move.level);
        if (then.kind === 'end') {
          expect(then.outcome).toBe(solved ? 'solved' : 'unsolved');
          break;
        }
        move = then;
      }
      expect(asked.every((times, i) => times <= (levels[i]?.attempts ?? 0))).toBe(true);
      expect(record.diagnosis_chain.map(({ attempts }) => attempts)).toEqual(asked.filter((times) => times > 0));
    }
  });
});

describe('the record', () => {
  it('CP-5 · workflow · each level appends its diagnosis, with all that it has tried', () => {
    const first = diagnose(
      { move: ask(0), levels: LEVELS, replans: false, remembers: false },
      { answer: { solved: false, diagnosis: 'types', tried: ['a'] } },
    );
    const second = diagnose(
      { move: ask(0, 2), levels: LEVELS, replans: false, remembers: false },
      { record: first.result, answer: { solved: false, diagnosis: 'a circle', tried: ['b'] } },
    );
    expect(second.values.raised).toEqual({
      ...{ from_level: 0, to_level: 1, attempts_at_current: 2 },
      diagnosis_chain: [{ level: 0, agent: 'e', attempts: 2, diagnosis: 'a circle', tried: ['a', 'b'] }],
    });
  });

  it('CP-5 · workflow · a level that is asked again keeps what came of its last recommendation', () => {
    const levels: EscalationLevel[] = LEVELS.map((level) => ({ ...level, attempts: 2 }));
    const given = { levels, replans: false, remembers: false };
    const first = diagnose({ move: ask(1), ...given }, { answer: { solved: false, diagnosis: 'a full disk', recommendation: 'clean it' } });
    const applied = diagnose(
      { move: apply(1), ...given, check: 'exit code 1' },
      { record: first.result, answer: { solved: true, diagnosis: 'cleaned', tried: ['rm -r cache'] } },
    );
    expect(applied.values.next).toEqual(ask(1, 2));
    const second = diagnose({ move: ask(1, 2), ...given }, { record: applied.result, answer: { solved: false, diagnosis: 'a slow disk' } });
    expect(second.values.raised?.diagnosis_chain).toEqual([
      {
        ...{ level: 1, agent: 's', attempts: 2, diagnosis: 'a slow disk' },
        tried: ['clean it: cleaned (exit code 1)', 'rm -r cache'],
      },
    ]);
  });

  it('CP-5 · workflow · what enters the journal is brief, and the record has the whole', () => {
    const long = 'x'.repeat(8000);
    const made = diagnose(
      { move: ask(1), levels: LEVELS, replans: false, remembers: false },
      { answer: { solved: false, diagnosis: long, tried: Array(50).fill(long) } },
    );
    expect(made.result.diagnosis_chain[0]?.diagnosis).toBe(long);
    expect(JSON.stringify(made.values).length).toBeLessThan(4000);
  });

  it.each<[JsonObject | string | null, string]>([
    ['It is red. ', 'It is red.'],
    [{ code: 'command.failed', message: 'exit 1' }, 'command.failed: exit 1'],
    [{ reason: 'step build failed', message: 'exit 1' }, 'step build failed'],
    [{ other: 1 }, '{"other":1}'],
    [{}, ''],
    [null, ''],
  ])('CP-5 · entry · the issue on a line: %j', (issue, text) => {
    expect(issueText(issue)).toBe(text);
    expect(openIssue({ matter: issue }).values.issue).toBe(text);
  });

  it('CP-5 · entry · an answer that does not have the shape solves nothing', () => {
    expect(readAnswer('solved')).toEqual({ solved: false, diagnosis: 'none', tried: [] });
    expect(readAnswer({ solved: 'yes', diagnosis: 7, tried: 'x' })).toEqual({ solved: false, diagnosis: 'none', tried: [] });
  });
});
