import { bestDiagnoses, type Diagnosis } from '../../kinds/swarm/rules/best-diagnosis';
import { type FixOutcome, readDiagnosis, type SwarmRecord } from '../../kinds/swarm/rules/diagnosis';
import { identifiersIn, pathsIn } from '../../kinds/swarm/rules/diagnosis-places';
import { chooseDiagnosis, gatherSwarm, type JudgeGiven, judgeFix, namedPaths, overruleSwarm } from '../../kinds/swarm/rules/turns';
import type { Json } from '../../plan/text/json';
import { sweepCount } from '../support/sweep';

/** The diagnosis that a swarm tries, and what follows a fix: tested by tables, and by random cases that are compared with a naive count. */

const says = (by: string, confidence: number, fix = 'fix it', cause = 'something'): Diagnosis => ({
  ...{ by, perspective: 'any', root_cause: cause, confidence, fix_suggestion: fix },
});
const order = (diagnoses: Diagnosis[], existing: string[] = [], tried: string[] = []): string[] =>
  bestDiagnoses(diagnoses, new Set(existing), tried).map(({ by, complements }) => [by, ...complements.map((one) => one.by)].join('+'));

describe('the best diagnosis', () => {
  it.each<[string, Diagnosis[], string[], string[]]>([
    ['workflow · the surest leads', [says('a', 0.5), says('b', 0.9), says('c', 0.7)], [], ['b', 'c', 'a']],
    [
      'workflow · of those as sure the one that names more paths that exist',
      [says('a', 0.8, 'edit src/a.ts'), says('b', 0.8, 'edit src/b.ts and src/c.ts')],
      ['src/a.ts', 'src/b.ts', 'src/c.ts'],
      ['b', 'a'],
    ],
    [
      'workflow · a path that does not exist makes nothing more specific',
      [says('a', 0.8, 'edit src/x.ts, src/y.ts and src/z.ts'), says('b', 0.8, 'edit src/b.ts')],
      ['src/b.ts'],
      ['b', 'a'],
    ],
    [
      'workflow · a path counts once, however often it is named',
      [says('a', 0.8, 'a.ts, a.ts, ./a.ts and a.ts:12'), says('b', 0.8, 'b.ts and c.ts')],
      ['a.ts', 'b.ts', 'c.ts'],
      ['b', 'a'],
    ],
    [
      'workflow · with as many paths the one that names more identifiers',
      [says('a', 0.8, 'call parseLine'), says('b', 0.8, 'parseLine gets max_items from retry()')],
      [],
      ['b', 'a'],
    ],
    ['workflow · of equals the one that is listed first', [says('b', 0.8), says('a', 0.8)], [], ['b', 'a']],
    [
      'workflow · one that names the same file complements the better one',
      [says('a', 0.6, 'and test/a.test.ts, a.ts'), says('b', 0.9, 'edit a.ts'), says('c', 0.7, 'edit c.ts')],
      ['a.ts', 'c.ts'],
      ['b+a', 'c'],
    ],
    ['workflow · a file that does not exist joins nothing', [says('a', 0.6, 'edit a.ts'), says('b', 0.9, 'edit a.ts')], [], ['b', 'a']],
  ])('CP-7 · %s', (_rule, diagnoses, existing, expected) => {
    expect(order(diagnoses, existing)).toEqual(expected);
  });

  it('CP-7 · workflow · what was tried is left out, however it is spaced', () => {
    const diagnoses = [says('a', 0.9, 'Clean  the\ncache'), says('b', 0.5, 'raise the limit')];
    expect(order(diagnoses, [], ['clean the cache'])).toEqual(['b']);
    expect(order(diagnoses, [], ['clean the cache', 'raise the limit'])).toEqual([]);
  });

  it('CP-7 · workflow · random diagnoses come in the order that one finds by hand', () => {
    const random = numbers(7);
    const FILES = ['a.ts', 'b.ts', 'src/c.ts', 'd.md'];
    const NAMES = ['parseLine', 'max_items', 'readAll', 'x_y'];
    const different: string[][][] = [];
    for (let round = 0; round < sweepCount(1000, 10_000); round++) {
      const pick = <T>(from: readonly T[]): T[] => from.filter(() => random(3) === 0);
      const existing = pick(FILES);
      const made = Array.from({ length: 1 + random(5) }, (_, i) => ({
        files: pick(FILES),
        names: pick(NAMES),
        sure: random(4) / 4,
        by: `p${i}`,
      }));
      const diagnoses = made.map(({ files, names, sure, by }) =>
        says(by, sure, `do ${random(3)} with ${[...files, ...names].join(' and ')}`),
      );
      const tried = random(2) === 0 ? [] : [diagnoses[0]?.fix_suggestion.toUpperCase() ?? ''];
      const [found, counted] = [order(diagnoses, existing, tried), naive(made, diagnoses, existing, tried)];
      if (found.join() !== counted.join()) different.push([found, counted]);
    }
    expect(different).toEqual([]);
  });
});

/** Repeatedly picks the best diagnosis, together with all that share a file with it. */
function naive(
  made: { files: string[]; names: string[]; sure: number; by: string }[],
  diagnoses: Diagnosis[],
  existing: string[],
  tried: string[],
): string[] {
  const left = made.filter((_, i) => !tried.some((text) => text.toLowerCase() === diagnoses[i]?.fix_suggestion.toLowerCase()));
  const real = (one: { files: string[] }) => one.files.filter((file) => existing.includes(file));
  // A file that does not exist is read as an identifier if its name has the shape of one. No name here has that shape.
  const score = (one: (typeof made)[number]) => one.sure * 10_000 + real(one).length * 100 + one.names.length;
  const found: string[] = [];
  while (left.length > 0) {
    let best = 0;
    for (let i = 1; i < left.length; i++) if (score(left[i] as never) > score(left[best] as never)) best = i;
    const [leader] = left.splice(best, 1);
    if (!leader) break;
    const joined: typeof made = [];
    for (const other of [...left]) {
      if (!real(other).some((file) => real(leader).includes(file))) continue;
      joined.push(other);
      left.splice(left.indexOf(other), 1);
    }
    joined.sort((one, other) => score(other) - score(one));
    found.push([leader, ...joined].map(({ by }) => by).join('+'));
  }
  return found;
}

describe('what a diagnosis names', () => {
  it.each<[string, string[]]>([
    ['edit src/a.ts:12, then `lib/b.js`.', ['src/a.ts', 'lib/b.js']],
    ['./x/y.md and x/y.md', ['x/y.md']],
    ['see /etc/passwd, ../up.ts and a/../../b.ts', []],
    ['package.json (and Makefile)', ['package.json']],
    ['-rf/x a//b', ['a//b']],
    ['nothing. At all', []],
  ])('CP-7 · workflow · paths of a sentence: %j', (text, paths) => {
    expect(pathsIn(text)).toEqual(paths);
  });

  it('CP-7 · workflow · identifiers are the names that are not existing paths', () => {
    expect(identifiersIn('parseLine in src/read_all.ts calls retry() and A_B, not Plain words', ['src/read_all.ts'])).toEqual([
      'parseLine',
      'A_B',
      'retry',
    ]);
  });

  it('CP-7 · entry · a long answer is read in time', () => {
    const text = `${'a_'.repeat(4000)} ${'../'.repeat(2000)} ${'x.y/'.repeat(1500)}`;
    expect(pathsIn(text)).toEqual([]);
    expect(identifiersIn(text, []).length).toBeGreaterThan(0);
  });
});

describe('a diagnosis', () => {
  const good = { root_cause: 'a full disk', confidence: 0.9, fix_suggestion: 'clean it' };
  it.each<[string, Json]>([
    ['entry · one with a confidence of 7 is not a diagnosis', { ...good, confidence: 7 }],
    ['entry · nor is one whose confidence is a word', { ...good, confidence: 'high' }],
    ['entry · nor is one with less than none', { ...good, confidence: -0.1 }],
    ['entry · nor is one without a cause', { ...good, root_cause: ' ' }],
    ['entry · nor is one without a fix', { root_cause: 'x', confidence: 1 }],
    ['entry · nor is a text', 'a full disk'],
  ])('CP-7 · %s', (_rule, document) => {
    expect(readDiagnosis(document, { name: 'a', perspective: 'p' })).toBeUndefined();
  });

  it('CP-7 · entry · has the perspective that its agent was asked for', () => {
    expect(readDiagnosis({ ...good, perspective: 'another' }, { name: 'a', perspective: 'tests' })).toMatchObject({
      by: 'a',
      perspective: 'tests',
    });
  });
});

describe('a round', () => {
  const agents = ['a', 'b', 'c'].map((name) => ({ name, perspective: name }));
  const said = (confidence: number) => ({ root_cause: 'x', confidence, fix_suggestion: `edit a.ts to ${confidence}` });

  it('CP-7 · silence/abstention · an agent that says nothing, or nothing useful, is left out, with the reason', () => {
    const { result, values } = chooseDiagnosis(
      { agents, round: 1, rounds: 2, skipped: [{ agent: 'c', reason: 'no answer in time' }] },
      { 'diagnosis-a': said(0.4), 'diagnosis-b': { ...said(0.5), confidence: 'high' }, existing: 'a.ts\n' },
    );
    expect(values).toMatchObject({ candidates: [{ by: 'a', with: [] }], next: { kind: 'fix', nth: 0 } });
    expect(result.rounds[0]?.skipped).toEqual([
      { agent: 'c', reason: 'no answer in time' },
      { agent: 'b', reason: 'its answer is not a diagnosis' },
    ]);
  });

  it('CP-7 · silence/abstention · with no diagnosis a new round begins, and after the last it is unsolved', () => {
    const none = { agents, skipped: [] };
    expect(chooseDiagnosis({ ...none, round: 1, rounds: 2 }, {}).values.next).toEqual({ kind: 'diagnose', round: 2 });
    const last = chooseDiagnosis({ ...none, round: 2, rounds: 2 }, {});
    expect(last.values.next).toEqual({ kind: 'end', outcome: 'unsolved' });
    expect(last.result.outcome).toBe('unsolved');
  });

  it('CP-7 · workflow · what may exist is asked for a path a line', () => {
    expect(namedPaths({ agents }, { 'diagnosis-a': said(1), 'diagnosis-c': { ...said(1), root_cause: 'in b/c.ts' } })).toEqual({
      result: 'a.ts\nb/c.ts',
      values: { count: 2 },
    });
  });

  it('CP-7 · entry · what an escalation has found before is what they begin with', () => {
    const { result, values } = gatherSwarm(
      { affected: ['deploy'] },
      { issue: { reason: 'step deploy failed', diagnosis_chain: [{ level: 0, diagnosis: 'x'.repeat(900) }] } },
    );
    expect(values.issue).toBe('step deploy failed');
    expect(JSON.stringify(values.soFar).length).toBeLessThan(400);
    expect(result).toMatchObject({ outcome: 'open', affected: ['deploy'], rounds: [] });
  });

  it('CP-7 · entry · nothing to solve is an empty issue', () => {
    expect(gatherSwarm({ affected: [] }, { matter: null }).values.issue).toBe('');
  });
});

describe('a fix', () => {
  const record = (): SwarmRecord =>
    chooseDiagnosis(
      {
        agents: [
          { name: 'a', perspective: 'p' },
          { name: 'b', perspective: 'q' },
        ],
        round: 1,
        rounds: 2,
        skipped: [],
      },
      {
        'diagnosis-a': { root_cause: 'one', confidence: 0.9, fix_suggestion: 'first' },
        'diagnosis-b': { root_cause: 'two', confidence: 0.5, fix_suggestion: 'second' },
      },
    ).result;
  const report = (...failing: string[]): Json => ({ passed: 3, failed: failing.length, failures: failing.map((name) => ({ name })) });
  const base: JudgeGiven = { round: 1, rounds: 2, nth: 0, fixer: 'a', rollsBack: true };

  it.each<[string, Partial<JudgeGiven>, Record<string, Json>, FixOutcome, object]>([
    ['success · a check that passes ends it', {}, {}, 'solved', { kind: 'end', outcome: 'solved' }],
    ['success · so does a report without failures', {}, { after: report() }, 'solved', { kind: 'end', outcome: 'solved' }],
    [
      'success · not one in which no test has run',
      {},
      { after: { passed: 0, failed: 0, failures: [] } },
      'unsolved',
      { kind: 'diagnose', round: 2 },
    ],
    [
      'fallbacks · one that changes nothing is followed by a new round',
      { check: 'exit 1' },
      {},
      'unsolved',
      { kind: 'diagnose', round: 2 },
    ],
    [
      'fallbacks · in the last round it is unsolved',
      { check: 'exit 1', round: 1, rounds: 1 },
      {},
      'unsolved',
      { kind: 'end', outcome: 'unsolved' },
    ],
    [
      'fallbacks · one that breaks what passed is followed by the next best',
      { check: 'exit 1', passedBefore: true },
      {},
      'broke',
      { kind: 'fix', nth: 1 },
    ],
    [
      'fallbacks · so is one with which other tests fail',
      {},
      { before: report('x'), after: report('x', 'y') },
      'broke',
      { kind: 'fix', nth: 1 },
    ],
    [
      'fallbacks · the same tests are no new failure',
      {},
      { before: report('x', 'y'), after: report('y') },
      'unsolved',
      { kind: 'diagnose', round: 2 },
    ],
    [
      'fallbacks · what failed before says nothing where nobody knows it',
      {},
      { after: report('y') },
      'unsolved',
      { kind: 'diagnose', round: 2 },
    ],
    [
      'fallbacks · one that nobody has applied is followed by the next best',
      { failed: 'agent.timeout' },
      {},
      'not_applied',
      { kind: 'fix', nth: 1 },
    ],
    [
      'fallbacks · behind the last diagnosis a new round begins',
      { failed: 'agent.timeout', nth: 1 },
      {},
      'not_applied',
      { kind: 'diagnose', round: 2 },
    ],
  ])('CP-7 · %s', (_rule, given, documents, outcome, next) => {
    const { result, values } = judgeFix({ ...base, ...given }, { record: record(), ...documents });
    expect(values).toMatchObject({ outcome, next });
    expect(result.tried).toMatchObject([{ outcome, fixer: 'a', diagnosed_by: given.nth === 1 ? 'b' : 'a' }]);
    expect(result.tried[0]?.rolled_back).toBe(outcome === 'solved' ? undefined : true);
  });

  it('CP-7 · success · the record says who diagnosed it, who fixed it and how', () => {
    const { result, values } = judgeFix(base, { record: record(), answer: { applied: true, summary: 'cleaned' } });
    expect(result).toMatchObject({ outcome: 'solved', by: 'a', diagnosed_by: 'a', root_cause: 'one', solution: 'cleaned' });
    expect(values).toMatchObject({ solution: 'cleaned', rootCause: 'one' });
  });

  it('CP-7 · workflow · the next round leaves out what was tried', () => {
    const before = judgeFix({ ...base, check: 'exit 1' }, { record: record() }).result;
    const again = chooseDiagnosis(
      { agents: [{ name: 'a', perspective: 'p' }], round: 2, rounds: 2, skipped: [] },
      { record: before, 'diagnosis-a': { root_cause: 'one', confidence: 0.9, fix_suggestion: 'First' } },
    );
    expect(again.values).toEqual({ candidates: [], next: { kind: 'end', outcome: 'unsolved' } });
  });

  it('CP-7 · fallbacks · what somebody above lets pass is overruled, with all that was tried', () => {
    const before = judgeFix({ ...base, check: 'exit 1' }, { record: record() }).result;
    expect(overruleSwarm({ record: before }).result).toMatchObject({ outcome: 'overruled', tried: [{ reason: 'exit 1' }] });
  });

  it('CP-7 · workflow · random swarms end, try no diagnosis twice, and have no more rounds than they may', () => {
    const random = numbers(3);
    for (let run = 0; run < 500; run++) {
      const rounds = 1 + random(4);
      const agents = Array.from({ length: 1 + random(4) }, (_, i) => ({ name: `a${i}`, perspective: 'p' }));
      let current: SwarmRecord = gatherSwarm({ affected: [] }, { issue: 'red' }).result;
      let next: { kind: string; nth?: number; round?: number; outcome?: string } = { kind: 'diagnose', round: 1 };
      let round = 0;
      while (next.kind !== 'end') {
        if (next.kind === 'diagnose') {
          round += 1;
          expect(next.round).toBe(round);
          const said = agents
            .filter(() => random(4) > 0)
            .map(({ name }) => [`diagnosis-${name}`, { root_cause: 'c', confidence: random(3) / 3, fix_suggestion: `fix ${random(6)}` }]);
          const chosen = chooseDiagnosis({ agents, round, rounds, skipped: [] }, { record: current, ...Object.fromEntries(said) });
          [current, next] = [chosen.result, chosen.values.next];
        } else {
          const given: JudgeGiven = { round, rounds, nth: next.nth ?? 0, fixer: 'f', rollsBack: false };
          const how = random(6);
          const judged = judgeFix(
            {
              ...given,
              ...(how === 0 ? {} : how < 3 ? { check: 'exit 1' } : how === 3 ? { failed: 'x' } : { check: 'exit 1', passedBefore: true }),
            },
            { record: current },
          );
          [current, next] = [judged.result, judged.values.next];
        }
      }
      expect(round).toBeLessThanOrEqual(rounds);
      expect(current.outcome).toBe(next.outcome);
      const inOneRound = current.tried.map((fix) => `${fix.round} ${fix.diagnosed_by}`);
      expect(new Set(inOneRound).size).toBe(inOneRound.length);
      const earlier = current.tried.map((fix, i) =>
        current.tried.slice(0, i).some((one) => one.round < fix.round && one.fix_suggestion === fix.fix_suggestion),
      );
      expect(earlier).not.toContain(true);
    }
  });
});

function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
