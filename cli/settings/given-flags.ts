import { TASK_QUEUE } from '../../plan/run/contract';
import { shellWord } from '../../plan/text/shell-word';
import type { Configuration } from './configuration';

/**
 * The flags that led this command to its server and state folder, with a space before them: printed commands need them too. Values from the
 * environment or `thermidor.yaml` apply to the next command as well.
 */
export function givenFlags({ address, namespace, taskQueue, stateDir }: Configuration): string {
  return [address, namespace, taskQueue, stateDir]
    .flatMap(({ value, source }) => (source.startsWith('--') && value !== undefined ? [` ${source} ${shellWord(value)}`] : []))
    .join('');
}

/** The flags that lead to one's own server, for a command in a message that may be read in a place without these settings. */
export function reachFlags({ address, namespace, taskQueue }: Configuration): string {
  if (address.value === undefined) return '';
  const flag = (name: string, value: string, usual: string): string => (value === usual ? '' : ` --${name} ${shellWord(value)}`);
  return ` --address ${shellWord(address.value)}${flag('namespace', namespace.value, 'default')}${flag('task-queue', taskQueue.value, TASK_QUEUE)}`;
}
