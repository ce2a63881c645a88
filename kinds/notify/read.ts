import { entryOf, type MappingNode } from '../../compiler/read/node';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { mappingOf, textOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import type { NotifySource } from './source';

export function readNotify(node: MappingNode, _step: StepSource, { report }: ReadContext): NotifySource {
  const work: NotifySource = { kind: 'notify' };
  const entry = entryOf(node, 'notify');
  requireKey(node, 'notify', 'a step of kind "notify"', report, 'add `notify: {channel: "#updates", message: "…"}`');
  const body = entry && mappingOf(entry, report, 'a mapping {channel, message}');
  if (!body) return work;
  checkKeys(body, { what: 'a notification', known: keysOf('notify') }, report);
  requireKey(body, 'channel', 'the notification', report);
  requireKey(body, 'message', 'the notification', report);
  const [channel, message, reported] = ['channel', 'message', 'report'].map((key) => entryOf(body, key));
  const where = channel && textOf(channel, report);
  if (where) work.channel = where;
  const template = message && textOf(message, report) && templateAt(message, report);
  if (template) work.message = template;
  const step = reported && textOf(reported, report);
  if (step) work.report = step;
  return work;
}
