import { CHAT_NAMES } from '../../channels/chats';
import type { ChannelSpec } from '../../plan/plan';
import { isSecretReference } from '../../plan/run/args';
import type { Located, Report } from '../diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { checkKeys } from './keys';
import type { PipelineShape } from './source';
import { mappingOf, namesOf, textOf } from './values';
import { keysOf } from './vocabulary';

/** `channels: {"#approvals": {webhook, webhook_secret, email, mention, approvers}}` and each chat's address; a name alone lists a channel of the inbox. */
export function readChannels(entry: Entry | undefined, report: Report): Pick<PipelineShape, 'channels' | 'channelApprovers'> {
  const found = new Map<string, ChannelSpec>();
  const deciding: PipelineShape['channelApprovers'] = new Map();
  for (const item of (entry && mappingOf(entry, report, 'a mapping of channels'))?.entries ?? []) {
    const spec: ChannelSpec = {};
    found.set(item.key, spec);
    if (item.value.kind === 'scalar' && item.value.value === null) continue;
    const node = mappingOf(item, report, 'a mapping such as {webhook, mention}');
    if (!node) continue;
    checkKeys(node, { what: `the channel "${item.key}"`, known: keysOf('channel') }, report);
    for (const key of ['webhook', ...CHAT_NAMES, 'mention'] as const) {
      const value = entryOf(node, key);
      const text = value && textOf(value, report);
      if (text) spec[key] = text.value;
    }
    readMail(node, spec, report);
    readSigning(node, spec, report);
    const people = readApprovers(node, report);
    if (!people) continue;
    deciding.set(item.key, people);
    spec.approvers = people.map(({ value }) => value);
  }
  return { channels: found, channelApprovers: deciding };
}

function readApprovers(node: MappingNode, report: Report): Located<string>[] | undefined {
  const entry = entryOf(node, 'approvers');
  const names = entry && namesOf(entry, report);
  if (entry?.value.kind === 'sequence' && entry.value.items.length === 0)
    report('shape.out-of-range', entry.value.at, '"approvers" is empty, so nobody can decide', 'name somebody, or remove the key');
  return names && names.length > 0 ? names : undefined;
}

function readMail(node: MappingNode, spec: ChannelSpec, report: Report): void {
  const email = entryOf(node, 'email');
  const addresses = email && namesOf(email, report);
  if (email?.value.kind === 'sequence' && email.value.items.length === 0)
    report('shape.out-of-range', email.value.at, '"email" is empty', 'write an address, or remove the key');
  if (addresses && addresses.length > 0) spec.email = addresses.map(({ value }) => value);
}

/** Reads `webhook_secret`. The plan is stored, so a signing key may only be referred to. */
function readSigning(node: MappingNode, spec: ChannelSpec, report: Report): void {
  const entry = entryOf(node, 'webhook_secret');
  const key = entry && textOf(entry, report);
  if (!entry || !key) return;
  const hint = 'write a reference such as secret://env/NAME or secret://file/PATH';
  if (!isSecretReference(key.value)) report('shape.wrong-type', key.at, '"webhook_secret" must be a reference to the key', hint);
  else if (!entryOf(node, 'webhook')) report('shape.missing-key', entry.keyAt, '"webhook_secret" requires a "webhook"', 'add `webhook:`');
  else spec.webhookSecret = key.value;
}
