import { changesBetween, renderChange } from '../../cli/rendering/changes';
import type { TaskView } from '../../kinds/caid/view';
import { fakeTerminal } from './fake-terminal';
import { at, gateView, runView, stepView } from './views';

const { colors } = fakeTerminal();
const DONE = { state: 'done', startedAt: at(1), endedAt: at(3) } as const;

describe('changes between two views', () => {
  const named = (changes: ReturnType<typeof changesBetween>): string[] =>
    changes.map((change) => {
      if (change.kind === 'progress') return `${change.at} ${change.done}/${change.total}`;
      if (change.kind === 'pattern') return `${change.at} ${change.words}`;
      return change.kind === 'run' ? `run ${change.state}` : `${change.at} ${change.state}`;
    });

  test('every state that was entered is reported once', () => {
    const first = runView([stepView('a', { state: 'running', startedAt: at(1) }), stepView('b')]);
    expect(named(changesBetween(undefined, first))).toEqual(['run running', 'a running']);
    expect(changesBetween(first, first)).toEqual([]);
    const second = runView([stepView('a', DONE), stepView('b', { state: 'running', startedAt: at(3) })]);
    expect(named(changesBetween(first, second))).toEqual(['a done', 'b running']);
  });

  test('a round that came and went between two looks is reported, before the next', () => {
    const before = runView([stepView('review', { address: 'review#1', state: 'pending' })]);
    const after = runView([
      stepView('review', {
        address: 'review#2',
        round: 2,
        state: 'running',
        startedAt: at(9),
        superseded: [{ address: 'review#1', state: 'superseded', round: 1, try: 1, startedAt: at(4), endedAt: at(9) }],
      }),
    ]);
    expect(named(changesBetween(before, after))).toEqual(['review done', 'review#2 running']);
  });

  test('a round that failed and was sent back between two looks is reported as failed', () => {
    const error = { code: 'command.failed', message: 'exit 1' } as const;
    const again = { address: 'a#2', round: 2, state: 'running' as const };
    const after = runView([
      stepView('a', { ...again, superseded: [{ address: 'a#1', state: 'superseded', round: 1, try: 1, endedAt: at(9), error }] }),
    ]);
    expect(named(changesBetween(runView([]), after))).toEqual(['a failed', 'a#2 running']);
  });

  test('a round whose end was shown is not shown again when it is set aside', () => {
    const before = runView([stepView('a', { ...DONE, address: 'a#1' })]);
    const after = runView([
      stepView('a', { address: 'a#2', round: 2, superseded: [{ address: 'a#1', state: 'superseded', round: 1, try: 1 }] }),
    ]);
    expect(changesBetween(before, after)).toEqual([]);
  });

  test('the end of the run is the last line', () => {
    const changes = changesBetween(runView([stepView('a')]), runView([stepView('a', DONE)], { state: 'completed' }));
    expect(named(changes)).toEqual(['a done', 'run completed']);
    expect(renderChange(changes[0]!, colors)).toContain('2.0 s');
  });
});

describe('when changes happened, line by line', () => {
  const lines = (...views: ReturnType<typeof runView>[]): string[] =>
    views.flatMap((view, i) =>
      changesBetween(views[i - 1], view).map((change) => {
        const seconds = change.time === undefined ? '-' : (Date.parse(change.time) - Date.parse(at(0))) / 1000;
        return `${seconds} ${change.kind === 'run' ? 'run' : change.at} ${change.kind === 'progress' ? change.done : change.kind === 'pattern' ? change.words : change.state}`;
      }),
    );
  const began = (id: string, seconds: number, more: Partial<ReturnType<typeof stepView>> = {}) =>
    stepView(id, { state: 'running', startedAt: at(seconds), ...more });
  const waits = (id: string, seconds: number) => began(id, seconds, { state: 'waiting', kind: 'approval' });

  test('the first line is the beginning of the run, whenever somebody first looks', () => {
    expect(lines(runView([began('greet', 1), stepView('b')]))).toEqual(['0 run running', '1 greet running']);
  });

  test('a late reader gets everything in its order, rounds that were set aside too', () => {
    const round = { address: 'a#1', state: 'superseded' as const, round: 1, try: 1, startedAt: at(2), endedAt: at(8) };
    const view = runView([
      began('a', 9, { address: 'a#2', round: 2, superseded: [round] }),
      stepView('b', { ...DONE, endedAt: at(5) }),
      began('each', 1, { kind: 'for_each', iterations: { done: 3, total: 4 } }),
    ]);
    expect(lines(view)).toEqual(['0 run running', '1 each running', '5 b done', '8 a done', '9 a#2 running', '9 each 3']);
  });

  test('a step waits, and the run with it, since its gate opened and not since its work began', () => {
    const gates = [gateView('review', { openedAt: at(9) })];
    const view = runView([stepView('a', DONE), waits('review', 3)], { state: 'waiting', gates });
    expect(lines(view)).toEqual(['3 a done', '9 review waiting', '9 run waiting']);
  });

  test('after a decision the run goes on when the first of its steps did', () => {
    const waiting = runView([waits('ask', 2), stepView('b')], { state: 'waiting', gates: [gateView('ask')] });
    const going = runView([stepView('ask', { state: 'done', startedAt: at(2), endedAt: at(50) }), began('b', 50)]);
    expect(lines(waiting, going).slice(2)).toEqual(['50 run running', '50 ask done', '50 b running']);
  });

  test('of what has no time of its own, only that it was after the last look is known', () => {
    const first = runView([began('a', 2)]);
    const paused = runView([began('a', 2)], { state: 'paused', paused: { since: at(9) } });
    expect(lines(first, paused, first).slice(2)).toEqual(['9 run paused', '- run running']);
    expect(lines(first, runView([began('a', 2, { address: 'a~2', try: 2 })])).slice(2)).toEqual(['- a~2 running']);
  });

  test('tasks of a team move when the run says so, in that order, and those left open when the team ends', () => {
    const task = (id: string, more: Partial<TaskView>): TaskView => ({
      id,
      stage: 'open',
      attempt: 1,
      dependsOn: [],
      waitsFor: [],
      ...more,
    });
    const team = (tasks: TaskView[], more: Partial<ReturnType<typeof stepView>> = {}) =>
      runView([began('build', 1, { kind: 'caid', team: { head: 'h', tasks, engineers: [] }, ...more }), began('other', 60)]);
    const first = team([task('a', { stage: 'working', since: at(3) }), task('b', { stage: 'open', attempt: 0 })]);
    const second = team([
      task('a', { stage: 'merged', result: 'c0ffee', since: at(50) }),
      task('b', { stage: 'working', since: at(49) }),
      task('c', { waitsFor: ['b'], returned: 'red', since: at(20) }),
    ]);
    const said = (change: ReturnType<typeof changesBetween>[number]): string[] =>
      change.kind === 'task' ? [`${change.time} ${change.task} ${change.words}`] : [];
    expect(changesBetween(first, second).flatMap(said)).toEqual([
      `${at(20)} c waits for b, came back: red`,
      `${at(49)} b at work`,
      `${at(50)} a merged c0ffee`,
    ]);
    const ended = team(second.steps[0]?.team?.tasks ?? [], { state: 'failed', endedAt: at(70) });
    expect(changesBetween(second, ended).flatMap(said)).toEqual([
      `${at(70)} b not merged, attempt 1`,
      `${at(70)} c not merged, attempt 1, came back: red`,
    ]);
  });

  test('what is held is so since it was, and the end of the run bears its time', () => {
    const held = runView([began('a', 2, { state: 'held' })], { state: 'held', held: [{ step: 'a', reason: 'no', since: at(7) }] });
    const ended = runView([began('a', 2, { state: 'failed', endedAt: at(11) })], { state: 'failed', endedAt: at(12) });
    expect(lines(runView([began('a', 2)]), held, ended).slice(2)).toEqual(['7 a held', '7 run held', '11 a failed', '12 run failed']);
  });
});
