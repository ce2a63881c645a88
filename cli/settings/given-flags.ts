import { TASK_QUEUE } from '../../plan/run/contract';
import { shellWord } from '../../plan/text/shell-word';
import type { Configuration } from './configuration';

/**
 * The flags by which this command was led to its server and state folder, with a space before them: a line that is printed needs them
 * too. What comes from the environment or from `thermidor.yaml` is there for the next command as well.
 */
export function givenFlags({ address, namespace, taskQueue, stateDir }: Configuration): string {
  return [address, namespace, taskQueue, stateDir]
    .flatMap(({ value, source }) => (source.startsWith('--') && value !== undefined ? [` ${source} ${shellWord(value)}`] : []))
    .join('');
}

/** What leads to a server of one's own: of a line in a message, which is read where these settings need not be. */
export function reachFlags({ address, namespace, taskQueue }: Configuration): string {
  if (address.value === undefined) return '';
  const flag = (name: string, value: string, usual: string): string => (value === usual ? '' : ` --${name} ${shellWord(value)}`);
  return ` --address ${shellWord(address.value)}${flag('namespace', namespace.value, 'default')}${flag('task-queue', taskQueue.value, TASK_QUEUE)}`;
}
