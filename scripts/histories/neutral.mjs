// Removes what identifies the recording machine from a history, and refuses one that still contains some of it. Pollers, sticky queues and
// stack traces are not read at replay; folders and the host's name are, and get the same replacement everywhere.
import { homedir, hostname, tmpdir } from 'node:os';

const NOBODY = 'recorder';

/**
 * A copy of a history in JSON form. Fails with the place if a path or the host's name is still in it.
 * @param names of this machine, each with its replacement: `[[folder, '/srv/thermidor']]`
 */
export function neutral(history, names) {
  const renamed = (text) => names.reduce((text, [from, to]) => text.replaceAll(from, to), text);
  const copy = JSON.parse(JSON.stringify(history), (key, value) => {
    if (key === 'identity') return NOBODY;
    if (key === 'stackTrace') return '';
    if (key === 'stickyTaskQueue') return undefined;
    if (key === 'taskQueue' && value?.kind === 'TASK_QUEUE_KIND_STICKY') return { ...value, name: NOBODY };
    if (isPayload(value)) return { ...value, data: renamedData(value, renamed) };
    return typeof value === 'string' ? renamed(value) : value;
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

/** A payload without any of the names stays unchanged: it need not be text. */
function renamedData(payload, renamed) {
  const text = decoded(payload);
  return renamed(text) === text ? payload.data : Buffer.from(renamed(text)).toString('base64');
}

function decoded({ data }) {
  return Buffer.from(data, 'base64').toString('utf8');
}

function forbidden() {
  // A host called "vm" or "host" would be found in unrelated words.
  const names = [`@${hostname()}`, ...(hostname().length > 5 ? [hostname()] : [])];
  return [...names, `${tmpdir()}/`, `${homedir()}/`, `${process.cwd()}/`, 'node_modules'];
}
