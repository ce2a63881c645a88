import type { ChannelSpec } from '../../plan/plan';
import type { Report } from '../diagnostics/diagnostic';
import { type Entry, entryOf } from '../read/node';
import { checkKeys } from './keys';
import { mappingOf, textOf } from './values';
import { keysOf } from './vocabulary';

/** `channels: {"#approvals": {webhook, discord, slack, mention}}`; a name alone lists a channel of the inbox. */
export function readChannels(entry: Entry | undefined, report: Report): Map<string, ChannelSpec> {
  const found = new Map<string, ChannelSpec>();
  for (const item of (entry && mappingOf(entry, report, 'a mapping of channels'))?.entries ?? []) {
    const spec: ChannelSpec = {};
    found.set(item.key, spec);
    if (item.value.kind === 'scalar' && item.value.value === null) continue;
    const node = mappingOf(item, report, 'a mapping such as {webhook, mention}');
    if (!node) continue;
    checkKeys(node, { what: `the channel "${item.key}"`, known: keysOf('channel') }, report);
    for (const key of ['webhook', 'discord', 'slack', 'mention'] as const) {
      const value = entryOf(node, key);
      const text = value && textOf(value, report);
      if (text) spec[key] = text.value;
    }
  }
  return found;
}
