import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { handle } from '../../workflows/queue/machine';
import { viewOf } from '../../workflows/queue/queue';
import { emptyQueue } from '../../workflows/queue/queue-state';
import { type ModelCandidate, QueueModel } from './model';

const kinds = (model: QueueModel): Record<string, TicketOutcome['kind'] | undefined> =>
  Object.fromEntries([...model.candidates.keys()].map((name) => [name, model.outcomeOf(name)?.kind]));

function played(settings: ConstructorParameters<typeof QueueModel>[0], ...candidates: ModelCandidate[]): QueueModel {
  const model = new QueueModel(settings);
  model.ask(...candidates);
  model.settleAll();
  return model;
}

const stages = (model: QueueModel) => model.state.line.map(({ stage, tickets }) => `${tickets.join('+')} ${stage}`);

/** Settles all work except that of one kind, of which as much as possible is then in progress. */
function settleBut(model: QueueModel, kept: 'test' | 'advance'): void {
  for (let i = 0; i >= 0; i = model.pending.findIndex(({ effect }) => effect.kind !== kept)) if (!model.settle(i)) return;
}

describe('the order', () => {
  test('is by priority, then arrival', () => {
    const model = played({ speculate: 1 }, { name: 'a' }, { name: 'b', priority: 5 }, { name: 'c', priority: 1 }, { name: 'd' });
    expect(model.target).toBe(',c,a,d,b');
  });

  test('a ticket that is asked for again is the same ticket', () => {
    const model = new QueueModel();
    model.ask({ name: 'a' }, { name: 'a' });
    model.settleAll();
    expect([model.state.ticketsTaken, model.target, model.outcomes.get('a')]).toEqual([1, ',a', [{ kind: 'merged', result: ',a' }]]);
  });
});

describe('what comes back', () => {
  test('conflicts, red tests, restricted paths and clean merges that break tests, each with the target it was tried on', () => {
    const model = played(
      {},
      { name: 'a' },
      { name: 'conflicting', conflicts: ['a'] },
      { name: 'red', red: true },
      { name: 'semantic', breaks: ['a'] },
      { name: 'restricted', restricted: true },
      { name: 'marked', marked: true },
      { name: 'z' },
    );
    expect(kinds(model)).toEqual({
      a: 'merged',
      conflicting: 'conflict',
      red: 'red',
      semantic: 'red',
      restricted: 'restricted',
      marked: 'markers',
      z: 'merged',
    });
    expect(model.target).toBe(',a,z');
    expect(model.outcomeOf('conflicting')).toMatchObject({ onto: ',a' });
    expect(model.outcomeOf('semantic')).toMatchObject({ onto: ',a', result: ',a,semantic' });
  });

  test('a candidate that conflicts only with one that comes back lands', () => {
    expect(kinds(played({}, { name: 'bad', red: true }, { name: 'good', conflicts: ['bad'] }))).toEqual({ bad: 'red', good: 'merged' });
    expect(kinds(played({ batch: 4 }, { name: 'bad', red: true }, { name: 'good', conflicts: ['bad'] }))).toEqual({
      bad: 'red',
      good: 'merged',
    });
  });

  test('a candidate that breaks only on top of one that comes back lands', () => {
    expect(kinds(played({}, { name: 'bad', red: true }, { name: 'good', breaks: ['bad'] }))).toEqual({ bad: 'red', good: 'merged' });
  });

  test('one whose work the target has already is merged without a test', () => {
    const model = new QueueModel();
    model.target = ',a';
    model.ask({ name: 'a' });
    model.settleAll();
    expect([model.outcomeOf('a'), model.tests]).toEqual([{ kind: 'merged', result: ',a', already: true }, 0]);
  });
});

describe('batches', () => {
  test('are tested as one and are one advance', () => {
    const model = played({ batch: 4 }, { name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' });
    expect([model.history, model.tests]).toEqual([['', ',a,b,c,d'], 1]);
  });

  test('are halved when red, until the one that is red comes back', () => {
    const model = played(
      { batch: 8, speculate: 1 },
      ...'abcdefgh'.split('').map((name) => ({ name, ...(name === 'f' ? { red: true as const } : {}) })),
    );
    expect(model.outcomeOf('f')?.kind).toBe('red');
    expect(model.target.split(',').sort().join('')).toBe('abcdegh');
    expect(model.history.every((commit) => model.isGreen(commit))).toBe(true);
  });

  test('of a half that is red, what is left of the other one goes on with what waits', () => {
    const model = new QueueModel({ batch: 4, speculate: 2 });
    model.ask(...'abcdef'.split('').map((name) => ({ name, ...(name === 'a' ? { red: true as const } : {}) })));
    model.settleAll();
    expect(model.history.slice(1)).toEqual([',b,c,d,e', ',b,c,d,e,f']);
  });

  test('on top of the first half, the second one is not tested again as a whole', () => {
    const model = new QueueModel({ batch: 4, speculate: 2 });
    model.ask(...'abcd'.split('').map((name) => ({ name, ...(name === 'd' ? { red: true as const } : {}) })));
    model.settleAll();
    // The tests were of all four, of the first half and of three. The fourth on top of these three is the same tree that was red.
    expect([model.tests, model.history]).toEqual([3, ['', ',a,b', ',a,b,c']]);
    expect(model.outcomeOf('d')).toMatchObject({ kind: 'red', onto: ',a,b,c', result: ',a,b,c,d' });
  });

  test('are merged once: their parts are tested as they were merged', () => {
    const model = new QueueModel({ batch: 4, speculate: 2 });
    model.ask(...'abcd'.split('').map((name) => ({ name, ...(name === 'b' ? { red: true as const } : {}) })));
    let merges = 0;
    do merges += model.pending[0]?.effect.kind === 'merge' ? 1 : 0;
    while (model.settle());
    // The second merge is that of the rest, on top of the candidate that landed.
    expect([merges, model.history]).toEqual([2, ['', ',a', ',a,c,d']]);
  });

  test('of which a suspect is dropped are tried again', () => {
    const model = new QueueModel({ batch: 4, speculate: 2 });
    model.ask({ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd', red: true });
    settleBut(model, 'test');
    model.settle();
    expect(viewOf(model.state).waiting.map(({ ticket }) => ticket)).toEqual([4]);
    model.event({ kind: 'dropped', ticket: 4 });
    model.settleAll();
    expect([kinds(model), model.kept.size]).toEqual([{ a: 'merged', b: 'merged', c: 'merged', d: 'dropped' }, 0]);
  });

  test('land as soon as all of one is green, whatever its parts still do', () => {
    const model = new QueueModel({ batch: 4, speculate: 2 });
    model.ask({ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd', red: true });
    settleBut(model, 'test');
    model.settle();
    expect(stages(model)).toEqual(['1+2 testing', '3 testing']);
    model.settle(1);
    expect(stages(model)).toEqual(['1+2+3 advancing']);
    expect(model.pending.map(({ effect, cancelled }) => [effect.kind, cancelled])).toEqual([
      ['test', true],
      ['advance', undefined],
    ]);
    model.settleAll();
    expect([model.history, kinds(model)]).toEqual([['', ',a,b,c'], { a: 'merged', b: 'merged', c: 'merged', d: 'red' }]);
  });

  test('that land take with them what conflicts with them; one that does not land takes nothing', () => {
    const model = new QueueModel({ batch: 4, speculate: 2 });
    model.ask({ name: 'a' }, { name: 'b', conflicts: ['a'] }, { name: 'c', red: true }, { name: 'd', conflicts: ['c'] });
    model.ask({ name: 'e' }, { name: 'f', conflicts: ['a'] });
    const open = () => [...viewOf(model.state).line.flatMap(({ tickets }) => tickets), ...viewOf(model.state).waiting];
    do expect(new Set(open().map(({ ticket }) => ticket)).size).toBe(model.state.tickets.length);
    while (model.settle());
    const kinds = [...'abcdef'].map((name) => model.outcomeOf(name)?.kind);
    expect(kinds).toEqual(['merged', 'conflict', 'red', 'merged', 'merged', 'conflict']);
    expect(model.outcomeOf('b')).toMatchObject({ onto: ',a' });
  });

  test('take what came while the queue was at work', () => {
    const model = new QueueModel({ batch: 3, speculate: 1 });
    model.ask({ name: 'a' });
    settleBut(model, 'test');
    model.ask({ name: 'b' }, { name: 'c' });
    model.settleAll();
    expect(model.history).toEqual(['', ',a', ',a,b,c']);
  });
});

describe('speculation', () => {
  test('tests the next on top of the one that is tested', () => {
    const model = new QueueModel({ speculate: 3 });
    model.ask({ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' });
    settleBut(model, 'test');
    expect(stages(model)).toEqual(['1 testing', '2 testing', '3 testing']);
  });

  test('waits for the first, and lands in order', () => {
    const model = new QueueModel({ speculate: 2 });
    model.ask({ name: 'a' }, { name: 'b' });
    settleBut(model, 'test');
    model.settle(1);
    expect([stages(model), model.target]).toEqual([['1 testing', '2 green'], '']);
    model.settleAll();
    expect([model.history, model.tests]).toEqual([['', ',a', ',a,b'], 2]);
  });

  test('is thrown away when the first is red, and its work is called off', () => {
    const model = new QueueModel({ speculate: 2 });
    model.ask({ name: 'bad', red: true }, { name: 'b' });
    settleBut(model, 'test');
    model.settle(0);
    expect(model.pending.find(({ effect }) => effect.kind === 'test')?.cancelled).toBe(true);
    model.settleAll();
    expect([model.history, kinds(model)]).toEqual([['', ',b'], { bad: 'red', b: 'merged' }]);
  });
});

describe('people', () => {
  test('may move the branch: what was tested is tested again on the new head', () => {
    const model = new QueueModel();
    model.ask({ name: 'a' });
    settleBut(model, 'advance');
    model.person('p');
    model.settleAll();
    expect([model.history, model.tests]).toEqual([['', ',p', ',p,a'], 2]);
  });

  test('who move it every time get the candidate back, once', () => {
    const model = new QueueModel();
    model.ask({ name: 'a' });
    for (let i = 0; model.pending.length > 0; i++) {
      if (model.pending[0]?.effect.kind === 'advance') model.person(`p${i}`);
      model.settle();
    }
    expect([model.outcomeOf('a')?.kind, model.tests]).toEqual(['refused', 10]);
  });

  test('pause: nothing begins and nothing moves, and what is tested is kept', () => {
    const model = new QueueModel({ speculate: 1 });
    model.ask({ name: 'a' }, { name: 'b' });
    settleBut(model, 'test');
    model.event({ kind: 'paused', atMs: 1, by: 'chairman' });
    model.settleAll();
    expect([model.history, stages(model)]).toEqual([[''], ['1 green']]);
    model.event({ kind: 'resumed', atMs: 2 });
    model.settleAll();
    expect([model.history, model.tests]).toEqual([['', ',a', ',a,b'], 2]);
  });

  test('pause: a queue that begins again is paused as its ledger has it, unless somebody has said otherwise since', () => {
    const target = { repository: '/x', refsIn: 'repository', branch: 'main' } as const;
    const begunAnew = () => {
      const state = emptyQueue();
      handle(state, { kind: 'asked', asked: { workflowId: 'w', run: 'r', name: 'a' } });
      const candidate = { candidate: 'a', title: 'a', author: 'a', priority: 3 } as const;
      expect(handle(state, { kind: 'admitted', ticket: 1, admission: { kind: 'admitted', target, candidate } })).toEqual([
        { kind: 'settings' },
      ]);
      return state;
    };
    const settings: QueueSettings = { timeoutMs: 9, batch: 1, speculate: 1, strategy: 'merge', restricted: [], setup: [], copy: [] };
    const pause = { atMs: 5, n: 1, paused: { by: 'ann', reason: 'a release' } };
    const paused = begunAnew();
    expect(handle(paused, { kind: 'settings', settings, pause })).toEqual([]);
    expect(paused).toMatchObject({ paused: { by: 'ann', reason: 'a release' }, ordered: { atMs: 5, n: 1 }, line: [] });
    const resumed = begunAnew();
    expect(handle(resumed, { kind: 'resumed', atMs: 6 })).toEqual([{ kind: 'conclude', tickets: [], commits: [] }]);
    handle(resumed, { kind: 'settings', settings, pause });
    expect(resumed).toMatchObject({ ordered: { atMs: 6 }, line: [{ stage: 'merging' }] });
    expect(resumed).not.toHaveProperty('paused');
    // Two orders come at the same moment.
    handle(resumed, { kind: 'paused', atMs: 6 });
    expect(resumed.ordered).toEqual({ atMs: 6, n: 2 });
  });

  test('drop a ticket: what lies on it is tested again without it', () => {
    const model = new QueueModel({ speculate: 3 });
    model.ask({ name: 'a' }, { name: 'b' }, { name: 'c' });
    settleBut(model, 'test');
    model.event({ kind: 'dropped', ticket: 2, by: 'chairman' });
    model.settleAll();
    expect([model.target, model.outcomeOf('b')]).toEqual([',a,c', { kind: 'dropped', by: 'chairman' }]);
  });
});

describe('work that breaks off', () => {
  test('is tried again, and comes back as failed when it does so three times', () => {
    const model = new QueueModel();
    model.ask({ name: 'a' });
    let broken = 0;
    while (model.pending.length > 0) {
      const [first] = model.pending;
      if (first?.effect.kind !== 'test') model.settle();
      else {
        model.pending.shift();
        broken++;
        model.event({ kind: 'broken', attempt: first.effect.attempt, code: 'worker.lost', message: 'gone', isFault: false });
      }
    }
    expect([broken, model.outcomeOf('a')]).toEqual([3, { kind: 'failed', code: 'worker.lost', message: 'gone' }]);
  });

  test('in a batch is tried for each alone', () => {
    const model = new QueueModel({ batch: 3 });
    model.ask({ name: 'a' }, { name: 'b' }, { name: 'c' });
    settleBut(model, 'test');
    const test = model.pending.shift();
    if (test?.effect.kind !== 'test') throw new Error('nothing is tested');
    model.event({ kind: 'broken', attempt: test.effect.attempt, code: 'worker.lost', message: 'gone', isFault: true });
    model.settleAll();
    expect(model.history).toEqual(['', ',a', ',a,b', ',a,b,c']);
  });
});
