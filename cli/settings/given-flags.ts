import { word } from '../rendering/answer';
import type { Configuration } from './configuration';

/**
 * The flags by which this command was led to its server and state folder, with a space before them: a line that is printed needs them
 * too. What comes from the environment or from `thermidor.yaml` is there for the next command as well.
 */
export function givenFlags({ address, namespace, taskQueue, stateDir }: Configuration): string {
  return [address, namespace, taskQueue, stateDir]
    .flatMap(({ value, source }) => (source.startsWith('--') && value !== undefined ? [` ${source} ${word(value)}`] : []))
    .join('');
}
