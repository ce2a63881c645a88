import type { Options } from '../command';
import { usage } from '../exit';

/** The name of the queue for everything without one: workflows, and steps that name none. */
const DEFAULT_QUEUE = 'default';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export interface WorkerQueues {
  /** Steps with one of these as their `queue`. */
  queues?: string[];
  /** Neither workflows nor steps without a queue. */
  onlyQueues?: true;
}

/**
 * What a worker takes, from `--queues default,a,b` and `--label`. A label adds what this host can do to the queues, which are the default
 * one if none is given.
 */
export function queuesOf(options: Options): WorkerQueues {
  const given = options.text('queues');
  const labels = options.list('label');
  const names = given === undefined ? [DEFAULT_QUEUE] : given.split(',').map((name) => name.trim());
  for (const name of [...names, ...labels]) {
    if (!NAME.test(name))
      throw usage(`"${name}" is not a valid name for a queue`, 'letters, digits, _ and -, beginning with a letter or digit, at most 64');
  }
  const queues = [...new Set([...names, ...labels])].filter((name) => name !== DEFAULT_QUEUE);
  if (queues.length === 0) return {};
  return names.includes(DEFAULT_QUEUE) ? { queues } : { queues, onlyQueues: true };
}
