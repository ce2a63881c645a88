// Merge queues. A queue has no end: its history is recorded when it is at rest.
const isTested =
  (name) =>
  ({ line }) =>
    line.some(({ stage, tickets }) => stage === 'testing' && tickets.some(({ candidate }) => candidate === name));

export const QUEUE_CASES = [
  {
    name: 'queue-lands-and-returns',
    guards: 'a merge queue that lands, returns, and meets a repository that cannot be used',
    queue: { candidates: { broken: { red: true }, other: { conflicts: ['parser'] }, gone: { fails: 'repository.unusable' } } },
    async drive(queue) {
      queue.world.hold('parser');
      await queue.submit('parser', 'broken', 'other', 'gone', 'lexer');
      await queue.when('the second lies on the first', isTested('broken'));
      queue.world.letGo('parser');
      await queue.atRest(5);
    },
  },
  {
    name: 'queue-red-batch-after-a-pause',
    guards: 'a queue that was paused, and a red batch',
    queue: { candidates: { c: { red: true } }, rules: { batch: 4, speculate: 1 } },
    async drive(queue) {
      await queue.submit('first');
      await queue.atRest(1);
      await queue.order('pause', { by: 'ann', reason: 'collecting' });
      await queue.submit('a', 'b', 'c', 'd');
      await queue.order('resume');
      await queue.atRest(5);
    },
  },
  {
    name: 'queue-paused-dropped-and-overtaken',
    guards: 'orders to a queue, and a branch that a person moves',
    queue: { candidates: { urgent: { priority: 1 } }, rules: { speculate: 3 } },
    async drive(queue) {
      queue.world.hold('a');
      await queue.submit('a', 'b', 'c', 'd');
      await queue.when('three are tested', isTested('c'));
      await queue.order('drop', { ticket: 2, by: 'ann' });
      await queue.order('pause', { by: 'ann' });
      await queue.submit('urgent');
      queue.world.personMoves('theirs');
      queue.world.letGo('a');
      await queue.when('the first is green', ({ line }) => line[0]?.stage === 'green');
      await queue.order('resume');
      await queue.atRest(5);
    },
  },
  {
    name: 'queue-continued-as-new',
    guards: 'a queue that continues as new',
    eventsLimit: 60,
    queue: { candidates: { d: { red: true } }, rules: { speculate: 1 } },
    async drive(queue) {
      queue.world.hold('a');
      await queue.submit('a', 'b', 'c', 'd', 'e', 'f');
      await queue.when('all are read', ({ waiting }) => waiting.length === 5 && waiting.every(({ candidate }) => candidate));
      queue.world.letGo('a');
      await queue.atRest(6);
    },
  },
  {
    name: 'queue-finds-a-fault-by-parts',
    guards: 'how a queue finds the candidates that make a batch red',
    queue: { candidates: { b: { red: true }, g: { red: true } }, rules: { batch: 4 } },
    async drive(queue) {
      queue.world.hold('first');
      await queue.submit('first', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
      await queue.when(
        'all are read',
        ({ line, waiting }) => [...line, ...waiting].length > 0 && waiting.every(({ candidate }) => candidate),
      );
      queue.world.letGo('first');
      await queue.atRest(9);
    },
  },
  {
    name: 'queue-continued-as-new-with-suspects',
    guards: 'the same while it continues as new',
    eventsLimit: 60,
    queue: { candidates: { d: { red: true }, k: { red: true } }, rules: { batch: 4 } },
    async drive(queue) {
      await queue.submit(...'abcdefghijklm');
      await queue.atRest(13);
    },
  },
];
