// Takes what names the recording machine out of a history, and refuses one where something of it is left. None of it is read
// at replay: who polled, sticky queues, stack traces.
import { homedir, hostname, tmpdir } from 'node:os';

const NOBODY = 'recorder';

/** A copy of a history in JSON form. Fails with the place where a path or the host's name is still in it. */
export function neutral(history) {
  const copy = JSON.parse(JSON.stringify(history), (key, value) => {
    if (key === 'identity') return NOBODY;
    if (key === 'stackTrace') return '';
    if (key === 'stickyTaskQueue') return undefined;
    if (key === 'taskQueue' && value?.kind === 'TASK_QUEUE_KIND_STICKY') return { ...value, name: NOBODY };
    return value;
  });
  for (const event of copy.events) {
    const text = JSON.stringify(event, (_, value) => (isPayload(value) ? { ...value, data: decoded(value) } : value));
    const found = forbidden().find((word) => text.includes(word));
    if (found !== undefined) throw new Error(`event ${event.eventId} (${event.eventType}) names this machine: "${found}" in ${text}`);
  }
  return copy;
}

function isPayload(value) {
  return typeof value?.data === 'string' && value.metadata !== undefined;
}

function decoded({ data }) {
  return Buffer.from(data, 'base64').toString('utf8');
}

function forbidden() {
  // A host called "vm" or "host" would be found in words that have nothing to do with it.
  const names = [`@${hostname()}`, ...(hostname().length > 5 ? [hostname()] : [])];
  return [...names, `${tmpdir()}/`, `${homedir()}/`, `${process.cwd()}/`, 'node_modules'];
}
