import type { Log } from '../activities/log';
import { isOpenMessage } from '../plan/run/open-messages';

/**
 * A log for workers that seal payloads: of errors it has names, codes and stacks, but no messages, which quote what programs print and
 * agents say. Other lines say nothing of what runs work with.
 */
export function logWithoutContent(log: Log): Log {
  return (level, message, fields) =>
    log(level, message, fields && Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, withoutMessage(value)])));
}

function withoutMessage(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { stack = '', message } = value;
  const said = isOpenMessage(message) ? [`: ${message}`] : [];
  const type = 'type' in value && typeof value.type === 'string' && value.type !== value.name ? [` ${value.type}`] : [];
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => /^\s+at .*:\d+\)?$/.test(line));
  return [[value.name, ...type, ...said].join(''), ...frames].join('\n');
}
