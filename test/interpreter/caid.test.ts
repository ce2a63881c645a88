import type { SubmitCandidateInput } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import type { CaidStep } from '../../plan/steps/step';
import { field, type Json } from '../../plan/text/json';
import { freshly } from './program';
import { carriedTo, type InTurn, type Played, partsWith, play, titles, unit } from './team-play';

describe('a caid step', () => {
  it('assigns what is ready, lands it, and then what waits for it', async () => {
    const played = play({ units: [unit('a'), unit('b', ['a']), unit('c', ['a'])], warnings: ['few tests'] });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'c']);
    expect(played.assignments()).toMatchObject([
      {
        task_id: 'a',
        engineer_id: 'e1',
        attempt: 1,
        base_commit: 'on-prepare build',
        dependencies: [],
        restricted_files: expect.arrayContaining(['**/__init__.py', '!/src/a.js', 'package.json', '/src/b.js', '/src/c.js']),
      },
      { task_id: 'b', base_commit: 'on-a: make a', dependencies: ['a'] },
      { task_id: 'c', base_commit: 'on-a: make a', dependencies: ['a'] },
    ]);
    expect(played.output()).toMatchObject({
      status: 'success',
      head: 'on-c: make c',
      tasks: [{ id: 'a', stage: 'merged', attempts: 1, result: 'on-a: make a' }, { id: 'b' }, { id: 'c' }],
      warnings: ['few tests'],
    });
    expect(played.world.order().filter((address) => address.includes('engineer'))).toEqual([
      'build[1]/build_engineer#1~1',
      'build[2]/build_engineer#1~1',
      'build[3]/build_engineer#1~1',
    ]);
  });

  it('shows who has which task, and what each waits for, as long as it runs and afterwards', async () => {
    const seen: unknown[] = [];
    const played: Played = play(
      { units: [unit('a'), unit('b', ['a'])] },
      {
        landed: ({ title }) => {
          seen.push(played.world.step('build').team);
          return { kind: 'merged', result: `on-${title}` };
        },
      },
    );
    await played.world.result;
    expect(seen[0]).toBeUndefined();
    expect(seen[1]).toMatchObject({
      tasks: [
        { id: 'a', stage: 'submitted', engineer: 'e1', attempt: 1, waitsFor: [] },
        { id: 'b', stage: 'open', attempt: 0, dependsOn: ['a'], waitsFor: ['a'] },
      ],
      engineers: [
        { id: 'e1', rounds: 1 },
        { id: 'e2', rounds: 0 },
      ],
    });
    expect(played.world.step('build').team).toMatchObject({
      over: 'success',
      tasks: [
        { stage: 'merged', result: 'on-a: make a' },
        { stage: 'merged', dependsOn: ['a'], waitsFor: [] },
      ],
    });
  });

  it('shows since when each task is where it is, as the journal has it', async () => {
    const played = play({ units: [unit('a'), unit('b', ['a'])] });
    await played.world.result;
    const journalled = played.world
      .journal()
      .flatMap((entry) => (entry.kind === 'team' && entry.event === 'merged' ? [[entry.task, entry.at]] : []));
    expect(played.world.step('build').team?.tasks.map(({ id, since }) => [id, since])).toEqual(journalled);
  });

  it('tests each merge by the acceptance of all that is merged and of the candidate, if the step has no test', async () => {
    const played = play({ units: [unit('a'), unit('b', ['a']), unit('c', ['b'])] });
    await played.world.result;
    expect(played.submitted.map(({ test, baseline }) => [test, baseline])).toEqual([
      [undefined, undefined],
      ['test a', undefined],
      ['test b', 'test a'],
      ['test c', '(test a\n) && (test b\n)'],
    ]);
    const tested = play({ units: [unit('a'), unit('b', ['a'], { acceptance: {} })] }, { step: { testEach: 'npm test' } });
    await tested.world.result;
    expect(tested.submitted.map(({ test, baseline }) => [test, baseline])).toEqual([
      ['npm test', undefined],
      ['test a', 'npm test'],
      [undefined, 'npm test'],
    ]);
  });

  it.each<[string, Partial<CaidStep>, (true | undefined)[]]>([
    ['by the test of the end, where there is no other', { testEnd: 'npm test' }, [true, true]],
    ['by that of each merge alone, where there are two', { testEach: 'lint', testEnd: 'npm test' }, [undefined, undefined]],
    ['by none', {}, [undefined, undefined]],
  ])('keeps a green branch green, from the preparation on: %s', async (_, step, expected) => {
    const played = play({ units: [unit('a')] }, { step });
    await played.world.result;
    expect(played.submitted.map(({ staysGreen }) => staysGreen)).toEqual(expected);
  });

  it('sends what comes back to its engineer, with why, what it had left, and a base that is up to date', async () => {
    const landed = ({ title }: SubmitCandidateInput, time: number): TicketOutcome =>
      title.startsWith('a') && time === 1
        ? { kind: 'conflict', onto: 'x', paths: ['src/a.js'] }
        : { kind: 'merged', result: `on-${title}` };
    const played = play({ units: [unit('a'), unit('b')] }, { landed });
    await played.world.result;
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'a']);
    expect(played.assignments().at(-1)).toMatchObject({
      ...{ task_id: 'a', engineer_id: 'e1', attempt: 2, earlier_commit: 'commit-2' },
      returned: { reason: 'conflict', paths: ['src/a.js'] },
    });
    expect(played.output()).toMatchObject({ returned: { conflict: 1 } });
    // Its worktree begins with the earlier work, moved on top of the target.
    const [first, , again] = played.given;
    expect([first?.worktree?.onto, again?.worktree?.onto]).toEqual([undefined, 'on-b: make b']);
    expect(carriedTo(played, 'build[3]/build_engineer')).toMatchObject({ commit: 'commit-2', ref: expect.stringContaining('build') });
  });

  it('says in an assignment the commit that its worktree is on top of, whatever lands while it is stored', async () => {
    const [bBegins, stored] = [waiting(), waiting()];
    const landed = ({ title }: SubmitCandidateInput, time: number): TicketOutcome =>
      title.startsWith('a') && time === 1
        ? { kind: 'conflict', onto: 'x', paths: ['src/a.js'] }
        : { kind: 'merged', result: `on-${title}` };
    const played = play(
      { units: [unit('a'), unit('b')] },
      {
        landed,
        inTurn: {
          'build[2]/build_engineer': async (_seen, otherwise) => {
            await bBegins.promise;
            return await otherwise();
          },
        },
        async whileStoring(address) {
          if (!address.endsWith('/assignment-3')) return;
          bBegins.open();
          await stored.promise;
        },
      },
    );
    for (let i = 0; i < 20; i++) await played.world.settle();
    expect(titles(played)).toEqual(['prepare build', 'a', 'b']);
    stored.open();
    await played.world.result;
    expect(played.assignments().at(-1)).toMatchObject({ task_id: 'a', base_commit: 'on-prepare build' });
    expect(played.given.at(-1)?.worktree?.onto).toBe('on-prepare build');
  });

  it('begins again if what came back has no history in common with the target', async () => {
    const landed = ({ title }: SubmitCandidateInput, time: number): TicketOutcome =>
      title.startsWith('a') && time === 1 ? { kind: 'unrelated', onto: 'x' } : { kind: 'merged', result: `on-${title}` };
    const played = play({ units: [unit('a')] }, { landed });
    await played.world.result;
    expect(played.given[1]?.worktree).not.toHaveProperty('onto');
    expect(played.assignments()[1]).not.toHaveProperty('earlier_commit');
    expect(carriedTo(played, 'build[2]/build_engineer')).toBeUndefined();
  });

  it('does not offer again what came back and was not changed since', async () => {
    const landed = ({ title }: SubmitCandidateInput, time: number): TicketOutcome =>
      title.startsWith('a') && time === 1 ? { kind: 'conflict', onto: 'x', paths: [] } : { kind: 'merged', result: `on-${title}` };
    let time = 0;
    const engineer = () => (++time === 2 ? { worktree: { slot: 'build[2]/build_engineer', epoch: 1, commit: 'commit-2' } } : {});
    const played = play({ units: [unit('a')] }, { landed, engineer });
    await played.world.result;
    expect(titles(played)).toEqual(['prepare build', 'a', 'a']);
    expect(played.assignments()[2]).toMatchObject({ attempt: 3, returned: { reason: 'empty' } });
  });

  it('tells an engineer at work where the target has moved to, with its next try', async () => {
    let time = 0;
    const engineer = ({ task_id }: Record<string, Json>) => {
      if (task_id === 'b' && time++ === 0) throw new ThermidorFailure('model.overloaded', 'later');
      return {};
    };
    const played = play({ units: [unit('a'), unit('b')] }, { engineer, step: { parts: partsWith({ retry: { max: 2, delayMs: 5000 } }) } });
    for (let i = 0; i < 6; i++) await played.world.settle();
    played.world.clock.tick();
    await played.world.result;
    const [, before, after] = played.given;
    expect(before?.messages).toBeUndefined();
    expect(after?.messages).toMatchObject([
      { from: 'build', content: expect.stringMatching(/^The branch main is at on-a: make a now: a is merged/) },
    ]);
  });

  it('sends back what changes files of other tasks, with whose they are, and has one engineer do both if it happens again', async () => {
    let times = 0;
    const landed = ({ title }: SubmitCandidateInput): TicketOutcome =>
      title.startsWith('a') && times++ < 2
        ? { kind: 'restricted', paths: ['src/b.js', 'src/c.js'] }
        : { kind: 'merged', result: `on-${title}` };
    const played = play(
      { units: [unit('a'), unit('c'), unit('d', ['c']), unit('e', ['d']), unit('b', ['e'])] },
      { landed, step: { engineers: 1 } },
    );
    await played.world.result;
    expect(played.output()).toMatchObject({ status: 'success', tasks: [{ holds: ['b'] }, {}, {}, {}, { stage: 'held' }] });
    const [, again, both] = played.assignments().filter((one) => field(one, 'task_id') === 'a');
    expect(again).toMatchObject({
      returned: { reason: 'ownership', message: expect.stringMatching(/"src\/b.js" belongs to task b, "src\/c.js" belongs to task c$/) },
    });
    // Files of a merged task stay with their owner; files of a task that had not begun belong to `a` now.
    expect(both).toMatchObject({ target_files: ['src/a.js', 'src/b.js'], restricted_files: expect.arrayContaining(['/src/c.js']) });
    expect(field(both, 'restricted_files')).not.toContain('/src/b.js');
    expect(played.submitted.every(({ title, restrictedBy }) => restrictedBy !== undefined || title === 'prepare build')).toBe(true);
    expect(played.output()).toMatchObject({ returned: { ownership: 2 } });
  });

  it('asks a person about a task that keeps coming back, who may leave it out', async () => {
    const landed = ({ title, from }: SubmitCandidateInput): TicketOutcome =>
      title.startsWith('a')
        ? { kind: 'red', of: 'queue', onto: 'x', result: from.commit, reason: 'exit code 1', tail: 'not ok' }
        : { kind: 'merged', result: 'y' };
    const played = play({ units: [unit('a'), unit('b')] }, { landed, step: { onError: [{ kind: 'continue' }] } });
    for (let i = 0; i < 12; i++) await played.world.settle();
    expect(played.world.status().gates).toMatchObject([{ step: 'build[5]/build_person' }]);
    played.world.signal('reject', { step: 'build[5]/build_person', by: 'ann' });
    await played.world.result;
    expect(played.world.step('build').error).toMatchObject({ code: 'caid.unfinished' });
    expect(played.world.journal().filter((entry) => entry.kind === 'team' && entry.event === 'over')).toMatchObject([
      { reason: 'incomplete' },
    ]);
  });

  it('runs the test of the end even if some of the work is not merged, and fails for that work whatever the test says', async () => {
    const landed = ({ title }: SubmitCandidateInput): TicketOutcome =>
      title.startsWith('a') ? { kind: 'conflict', onto: 'x', paths: [] } : { kind: 'merged', result: `on-${title}` };
    const fails: InTurn = () => {
      throw new ThermidorFailure('command.failed', 'exit code 1');
    };
    const tests = 'build[6]/build_tests';
    const played = play(
      { units: [unit('a'), unit('b')] },
      { landed, step: { testEnd: 'npm test', onError: [{ kind: 'continue' }] }, inTurn: { [tests]: fails } },
    );
    for (let i = 0; i < 12; i++) await played.world.settle();
    played.world.signal('reject', { step: 'build[5]/build_person', by: 'ann' });
    await played.world.result;
    expect(played.world.order()).toContain(`${tests}#1~1`);
    expect(played.world.order().some((address) => address.includes('review'))).toBe(false);
    expect(played.world.step('build').error).toMatchObject({ code: 'caid.unfinished' });
  });

  it('gives a graph with mistakes back to the manager once, and mends what is left', async () => {
    const wrong = { units: [unit('a', ['b']), unit('b', ['a'])] };
    const played = play(wrong, { graphs: [wrong, wrong] });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.order().filter((address) => address.includes('manager'))).toEqual([
      'build[1]/build_manager#1~1',
      'build[2]/build_manager#1~1',
    ]);
    expect(titles(played)).toEqual(['prepare build', 'a']);
    expect(played.output()).toMatchObject({ warnings: [expect.stringContaining('one unit'), expect.stringContaining('one unit')] });
  });

  it('fails if the second graph cannot be used either', async () => {
    const played = play({ units: [unit('a', ['nobody'])] });
    await expect(played.world.result).rejects.toMatchObject({ code: 'caid.graph' });
    expect(titles(played)).toEqual([]);
  });

  it('does not end before its manager has accepted it', async () => {
    const played = play({ units: [unit('a')] }, { review: { accepted: false, summary: 'half of it is missing' } });
    await expect(played.world.result).rejects.toMatchObject({ code: 'caid.not-accepted' });
  });

  it('runs the test of the end in a worktree of what the target is at', async () => {
    const played = play({ units: [unit('a')] }, { step: { testEnd: 'npm test' } });
    await played.world.result;
    expect(played.world.order()).toContain('build[2]/build_tests#1~1');
  });

  it('takes what is blocked, or has changed nothing, as an attempt', async () => {
    let time = 0;
    const played = play(
      { units: [unit('a')] },
      { engineer: () => (time++ === 0 ? { values: { status: 'blocked', summary: 'the base is red' } } : {}) },
    );
    await played.world.result;
    expect(played.assignments()[1]).toMatchObject({ attempt: 2, returned: { reason: 'failed', message: 'the base is red' } });
  });

  it('asks a person about each candidate if that is how it is verified', async () => {
    const played = play({ units: [unit('a')] }, { step: { verify: 'human' } });
    for (let i = 0; i < 8; i++) await played.world.settle();
    expect(titles(played)).toEqual(['prepare build']);
    played.world.signal('reject', { step: 'build[1]/build_approve', by: 'ann', comment: 'use a loop' });
    for (let i = 0; i < 8; i++) await played.world.settle();
    expect(played.assignments()[1]).toMatchObject({ returned: { reason: 'review', message: 'use a loop' } });
    played.world.signal('approve', { step: 'build[2]/build_approve', by: 'ann' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('has its manager look at each candidate if that is how it is verified, with the candidate’s files and a record of the team', async () => {
    let time = 0;
    const check = () => (time++ === 0 ? { accepted: false, summary: 'a test is deleted' } : { accepted: true, summary: 'fine' });
    const played = play({ units: [unit('a'), unit('b', ['a'])] }, { check, step: { verify: 'manager' } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b']);
    expect(played.assignments()[1]).toMatchObject({
      task_id: 'a',
      attempt: 2,
      returned: { reason: 'review', message: 'a test is deleted' },
    });
    expect(carriedTo(played, 'build[1]/build_check')).toMatchObject({ commit: 'commit-2' });
    expect(played.composed('team-3')).toMatchObject({
      graph: [{ id: 'a' }, { id: 'b', waits_for: ['a'] }],
      merged: [{ id: 'a', commit: 'on-a: make a', summary: 'ok' }],
      in_flight: [{ id: 'b', stage: 'submitted', engineer: 'e2' }],
      returned: { review: 1 },
    });
  });

  it('gives its manager a record of bounded size, whatever engineers say', async () => {
    const engineer = () => ({ values: { status: 'done', summary: 'x'.repeat(4000) } });
    const played = play({ units: [unit('a'), unit('b')] }, { engineer });
    await played.world.result;
    const record = played.composed('team');
    expect(record).toMatchObject({ merged: [{ id: 'a' }, { id: 'b' }], in_flight: [], open: [], errors: [] });
    expect(JSON.stringify(record).length).toBeLessThan(1500);
  });

  it.each([
    ['green', { status: 'done', 'tests.passed': 4, 'tests.failed': 0 }, true],
    ['none', { status: 'done', 'tests.passed': 0, 'tests.failed': 0 }, undefined],
  ])('believes an engineer whose tests were %s, where that is how it is verified', async (_, values, expected) => {
    const played = play({ units: [unit('a')] }, { engineer: () => ({ values }), step: { verify: 'efficient' } });
    await played.world.result;
    expect(played.submitted.at(-1)?.selfTested).toBe(expected);
    for (const verify of ['self', 'gate', 'manager'] as const) {
      const gated = play({ units: [unit('a')] }, { engineer: () => ({ values }), step: { verify } });
      await gated.world.result;
      expect(gated.submitted.at(-1)).not.toHaveProperty('selfTested');
    }
  });

  it.each<[string, Record<string, Json>, object]>([
    [
      'that one test fails',
      { 'tests.passed': 4, 'tests.failed': 1, 'tests.command': 'npm test' },
      { reason: 'red', message: 'its engineer reports that 1 test of "npm test" fails' },
    ],
    ['that tests fail', { 'tests.failed': 2 }, { reason: 'red', message: 'its engineer reports that 2 tests fail' }],
    ['on another task', { task_id: 'b' }, { reason: 'failed', message: 'the report is about task "b", but a was assigned' }],
  ])('sends a candidate back whose engineer reports %s, by whatever policy it is verified', async (_, wrong, returned) => {
    for (const verify of ['gate', 'self', 'manager'] as const) {
      const right = { status: 'done', task_id: 'a', 'tests.passed': 5, 'tests.failed': 0 };
      const engineer = ({ attempt }: Record<string, Json>) => ({ values: { ...right, ...(attempt === 1 ? wrong : {}) } });
      const played = play({ units: [unit('a')] }, { engineer, step: { verify } });
      await played.world.result;
      expect(titles(played)).toEqual(['prepare build', 'a']);
      expect(played.assignments().at(-1)).toMatchObject({ attempt: 2, earlier_commit: 'commit-2', returned });
    }
  });

  it('tests what the manager has prepared, and gives it back with what is red; its graph stays', async () => {
    const landed = ({ title }: SubmitCandidateInput, time: number): TicketOutcome =>
      title.startsWith('prepare') && time === 1
        ? { kind: 'red', onto: 'x', result: 'y', of: 1, reason: 'it ended with 1', tail: 'no entry point' }
        : { kind: 'merged', result: `on-${title}` };
    const played = play(
      { units: [unit('a')] },
      { landed, graphs: [{ units: [unit('a')] }, { units: [unit('other')] }], step: { testEach: 'npm test' } },
    );
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'prepare build', 'a']);
    expect(played.submitted.map(({ test }) => test)).toEqual(['npm test', 'npm test', 'test a']);
    expect(played.composed('refused-2')).toMatchObject({
      what_you_have_prepared_does_not_land: expect.stringContaining('it ended with 1'),
      end_of_the_output: 'no entry point',
    });
    expect(carriedTo(played, 'build[2]/build_manager')).toMatchObject({ commit: 'commit-1' });
  });

  it('fails if what the manager has prepared is red each time', async () => {
    const landed = (): TicketOutcome => ({ kind: 'red', onto: 'x', result: 'y', of: 1, reason: 'it ended with 1', tail: '' });
    const played = play({ units: [unit('a')] }, { landed, step: { testEach: 'npm test' } });
    await expect(played.world.result).rejects.toMatchObject({ code: 'caid.setup', message: expect.stringContaining('it ended with 1') });
    expect(titles(played)).toEqual(['prepare build', 'prepare build', 'prepare build']);
  });

  describe('when all is merged and the tests of the whole are red', () => {
    const red =
      (stdout: string, stderr = 'npm warn config\n'): InTurn =>
      () => {
        throw new ThermidorFailure('command.failed', 'it ended with 1', { stdout, stderr });
      };
    const both = { units: [unit('a'), unit('b')] };

    it('those go back whose files they name, as often as it takes', async () => {
      const inTurn = {
        'build[3]/build_tests': red('ok 1 - src/b.js\nnot ok 2\n  at file:///w/trees/1/src/a.js:3:1'),
        'build[4]/build_tests': red('src/a.js(3,1): still wrong\nsrc/b.js: wrong'),
      };
      const played = play(both, { inTurn, step: { testEnd: 'npm test' } });
      await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
      expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'a', 'a', 'b']);
      const again = played.assignments()[2];
      expect(again).toMatchObject({
        task_id: 'a',
        attempt: 2,
        base_commit: 'on-b: make b',
        returned: { reason: 'red', tail: expect.stringContaining('src/a.js:3') },
      });
      // Its earlier work has landed, so it continues from the target.
      expect(again).not.toHaveProperty('earlier_commit');
      expect(played.output()).toMatchObject({ status: 'success', returned: { red: 3 }, tasks: [{ attempts: 3 }, { attempts: 2 }] });
      expect(played.world.journal().filter((entry) => entry.kind === 'team' && entry.event === 'returned')).toHaveLength(3);
    });

    it('it ends, if they stay red: with a person, and by its rounds', async () => {
      const always = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`build[${i}]/build_tests`, red('src/a.js: wrong')]));
      const played = play(both, { inTurn: always, step: { testEnd: 'npm test', limits: { rounds: 3, returns: 9 } } });
      await expect(played.world.result).rejects.toMatchObject({ code: 'caid.unfinished' });
      const asks = play(both, { inTurn: always, step: { testEnd: 'npm test', limits: { rounds: 22, returns: 1 } } });
      for (let i = 0; i < 60; i++) await asks.world.settle();
      expect(asks.world.status().gates).toMatchObject([{ step: expect.stringMatching(/build_person$/) }]);
    });

    it('the same happens over executions that end at each wait', async () => {
      const { historyIsFull, toTheEnd } = freshly();
      const inTurn = { 'build[3]/build_tests': red('src/a.js: wrong') };
      const played = play(both, { historyIsFull, inTurn, step: { testEnd: 'npm test' } });
      await toTheEnd(played.world);
      await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
      expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'a']);
    });
  });

  it('points out what the queue has seen in a candidate that lands: in the journal, to its manager, and in the result', async () => {
    const remark = 'it removes tests: "test/a.test.js"';
    const landed = ({ title }: SubmitCandidateInput): TicketOutcome => ({
      ...{ kind: 'merged', result: `on-${title}` },
      ...(title.startsWith('a') ? { remarks: [remark] } : {}),
    });
    const played = play({ units: [unit('a'), unit('b')] }, { landed });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    const warned = played.world.journal().filter((entry) => entry.kind === 'team' && entry.event === 'warned');
    expect(warned).toMatchObject([{ task: 'a', engineer: 'e1', reason: remark }]);
    expect(played.composed('team')).toMatchObject({ warnings: [`a: ${remark}`] });
    expect(played.output()).toMatchObject({ status: 'success', warnings: [`a: ${remark}`] });
  });

  it('journals what happens to every task', async () => {
    const played = play({ units: [unit('a')] });
    await played.world.result;
    const told = played.world.journal().flatMap((entry) => (entry.kind === 'team' ? [[entry.event, entry.task, entry.commit]] : []));
    expect(told).toEqual([
      ['divided', undefined, undefined],
      ['warned', undefined, undefined],
      ['prepared', undefined, 'on-prepare build'],
      ['assigned', 'a', undefined],
      ['submitted', 'a', 'commit-2'],
      ['merged', 'a', 'on-a: make a'],
      ['over', undefined, undefined],
    ]);
  });

  it('does the same over executions that end at each wait', async () => {
    const { historyIsFull, toTheEnd } = freshly();
    const played = play(
      { units: [unit('a'), unit('b', ['a']), unit('c')] },
      {
        historyIsFull,
        landed: ({ title }, time) =>
          title.startsWith('b') && time === 1 ? { kind: 'conflict', onto: 'x', paths: ['q'] } : { kind: 'merged', result: `on-${title}` },
      },
    );
    await toTheEnd(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played).sort()).toEqual(['a', 'b', 'b', 'c', 'prepare build']);
  });

  it('ends with a failure that is not an engineer’s, once the others have ended what they are at', async () => {
    const engineer = ({ task_id }: Record<string, Json>) => {
      if (task_id === 'a') throw new ThermidorFailure('worktree.unavailable', 'no room');
      return {};
    };
    const played = play({ units: [unit('a'), unit('b'), unit('c')] }, { engineer });
    await expect(played.world.result).rejects.toMatchObject({ code: 'worktree.unavailable' });
    expect(titles(played)).not.toContain('a');
  });

  describe('if the target is red without the candidate', () => {
    const red =
      (isMended: () => boolean) =>
      ({ title, from }: SubmitCandidateInput): TicketOutcome =>
        isMended() || title.startsWith('prepare')
          ? { kind: 'merged', result: `on-${title}` }
          : { kind: 'red', of: 'queue', onto: 'x', result: from.commit, reason: 'exit code 1', tail: 'not ok', isTargets: true };

    it('asks one person for the team, blames no engineer, and offers the same candidates again', async () => {
      let isMended = false;
      const played = play({ units: [unit('a'), unit('b')] }, { landed: red(() => isMended) });
      for (let i = 0; i < 12; i++) await played.world.settle();
      expect(played.world.status().gates).toMatchObject([{ step: 'build[1]/build_target' }]);
      played.world.signal('approve', { step: 'build[1]/build_target', by: 'ann' });
      for (let i = 0; i < 12; i++) await played.world.settle();
      expect(played.world.status().gates).toMatchObject([{ step: 'build[2]/build_target' }]);
      isMended = true;
      played.world.signal('approve', { step: 'build[2]/build_target', by: 'ann' });
      await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
      expect(played.assignments()).toHaveLength(2);
      expect(played.output()).toMatchObject({ status: 'success', returned: {}, tasks: [{ attempts: 1 }, { attempts: 1 }] });
      expect(new Set(played.submitted.filter(({ title }) => title.startsWith('a')).map(({ from }) => from.commit)).size).toBe(1);
    });

    it('ends if that person gives up', async () => {
      const played = play({ units: [unit('a'), unit('b')] }, { landed: red(() => false) });
      for (let i = 0; i < 12; i++) await played.world.settle();
      played.world.signal('reject', { step: 'build[1]/build_target', by: 'ann' });
      await expect(played.world.result).rejects.toMatchObject({ code: 'merge.target-red' });
    });
  });

  it('keeps graph and merges when it is tried again', async () => {
    let times = 0;
    const landed = ({ title }: SubmitCandidateInput): TicketOutcome => {
      if (title.startsWith('b') && times++ === 0) return { kind: 'refused', message: 'the checkout is dirty' };
      return { kind: 'merged', result: `on-${title}` };
    };
    const played = play({ units: [unit('a'), unit('b', ['a'])] }, { landed, step: { retry: { max: 2 } } });
    await played.world.settle();
    played.world.clock.tick();
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'prepare build', 'b']);
    expect(played.world.order().filter((address) => address.includes('manager'))).toHaveLength(1);
    expect(played.output()).toMatchObject({ status: 'success', tasks: [{ attempts: 1 }, { attempts: 2 }] });
  });
});

function waiting(): { promise: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open: () => open() };
}
