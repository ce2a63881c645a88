import { defined } from '../../plan/defined';
import { isSecretReference } from '../../plan/run/args';
import { HOOK_RATE, HOOK_WITHIN_MS, TIMED_SIGNATURES } from '../../plan/web-hook';
import type { Report } from '../diagnostics/diagnostic';
import { WEBHOOK_ROWS } from '../language/mappings/web-hook';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { checkKeys } from './keys';
import { checkName } from './names';
import { readRows } from './read-rows';
import type { HookSource } from './source';
import { keysOf } from './vocabulary';

/** Reads a trigger that has `webhook`. Undefined if a part without which there is none cannot be read. */
export function readWebHook(entry: Entry, node: MappingNode, report: Report): HookSource | undefined {
  checkKeys(node, { what: 'a web hook', known: keysOf('web-hook'), place: 'key of trigger' }, report);
  const source = readRows(node, WEBHOOK_ROWS, 'the web hook', { report });
  const { name, webhook: path, signature, secret, when, args, key, rate = HOOK_RATE.usual, paused } = source;
  const isTimed = signature !== undefined && TIMED_SIGNATURES.includes(signature);
  const withinMs = withinOf(node, source.withinMs, isTimed, report);
  if (name) checkName(name, 'trigger', report);
  if (path) checkName(path, 'web hook', report);
  if (secret && !isSecretReference(secret.value)) {
    const hint = 'write a reference such as secret://env/NAME or secret://file/PATH';
    report('shape.wrong-type', secret.at, '"secret" must be a reference to what deliveries are signed with', hint);
  }
  if (key?.every((part) => typeof part === 'string')) {
    const hint = `write an expression for what differs between deliveries, such as \${body.id}`;
    const keyAt = entryOf(node, 'key')?.value.at ?? entry.keyAt;
    report('trigger.fixed-key', keyAt, '"key" is the same for every delivery, so only the first one would start a run', hint);
  }
  if (!path || !signature || !secret) return undefined;
  return {
    kind: 'webhook',
    at: name?.at ?? entry.keyAt,
    path: path.value,
    pathAt: path.at,
    signature,
    secret: secret.value,
    rate,
    ...defined({ name: name?.value, when, args, key, withinMs, paused: paused || undefined }),
  };
}

function withinOf(node: MappingNode, written: number | undefined, isTimed: boolean, report: Report): number | undefined {
  const at = entryOf(node, 'within')?.value.at;
  if (at === undefined || written === undefined) return isTimed ? HOOK_WITHIN_MS.usual : undefined;
  if (!isTimed) {
    const hint = `leave it out; only ${TIMED_SIGNATURES.join(' and ')} sign the time`;
    report('shape.conflicting-keys', at, 'the signature covers no time', hint);
  } else if (written < HOOK_WITHIN_MS.min || written > HOOK_WITHIN_MS.max)
    report('shape.out-of-range', at, '"within" must be from 1s to 1d', 'five minutes suit clocks that are set');
  return written;
}
