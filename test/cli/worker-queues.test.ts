import { Options } from '../../cli/command';
import { queuesOf, type WorkerQueues } from '../../cli/commands/worker';

const queues = (values: Record<string, unknown>): WorkerQueues => queuesOf(new Options(values));

test('by default a worker takes workflows and steps without a queue', () => {
  expect(queues({})).toEqual({});
  expect(queues({ queues: 'default' })).toEqual({});
});

test('a list without the default one is all that the worker takes', () => {
  expect(queues({ queues: 'default, agents,host,agents' })).toEqual({ queues: ['agents', 'host'] });
  expect(queues({ queues: 'host' })).toEqual({ queues: ['host'], onlyQueues: true });
});

test('a label adds to the queues, the default one if none is given', () => {
  expect(queues({ label: ['gpu', 'mac'] })).toEqual({ queues: ['gpu', 'mac'] });
  expect(queues({ queues: 'host', label: ['gpu'] })).toEqual({ queues: ['host', 'gpu'], onlyQueues: true });
});

test.each(['', 'a,,b', '-x', 'a b', 'ü'])('%j is exit 2', (given) => {
  expect(() => queues({ queues: given })).toThrow(expect.objectContaining({ exit: 2 }));
});
