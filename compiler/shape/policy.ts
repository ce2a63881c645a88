import { COMMENT_RULES, type TimeoutOutcome } from '../../plan/people/decision-policy';
import type { Report } from '../diagnostics/diagnostic';
import { ANYONE } from '../language/patterns';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { quorumSetting } from './quorum';
import type { PolicySource, WhoSource } from './source-parts';
import { booleanOf, durationOf, namesOf, textOf, wordOf } from './values';

/** Reads who may answer a gate, and how; shared by gates that are steps and by the policy of a category. */
export function readWho(node: MappingNode, who: WhoSource, report: Report): void {
  const [channel, approvers, identity, remind] = ['channel', 'approvers', 'identity', 'remind'].map((key) => entryOf(node, key));
  const where = channel && textOf(channel, report);
  if (where) who.channel = where;
  const people = approvers && namesOf(approvers, report);
  if (approvers?.value.kind === 'sequence' && approvers.value.items.length === 0) {
    report('shape.out-of-range', approvers.value.at, '"approvers" is empty, so nobody can decide', 'name somebody, or remove the key');
  }
  const anyone = people?.find(({ value }) => value === ANYONE);
  if (anyone && people && people.length > 1)
    report('names.reserved', anyone.at, `"${ANYONE}" cannot be combined with others`, 'use it alone, or remove it');
  if (anyone) who.anyone = true;
  else if (people && people.length > 0) who.approvers = people;
  if (identity && wordOf(identity, ['claimed', 'proven'], report)?.value === 'proven') who.identity = 'proven';
  const remindMs = remind && durationOf(remind, report);
  if (remindMs !== undefined) who.remindMs = remindMs;
}

/** Reads what a yes-or-no gate has in addition to every gate. */
export function readPolicy(node: MappingNode, policy: PolicySource, timeouts: readonly ('wait' | TimeoutOutcome)[], report: Report): void {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const [quorum, fourEyes, comment, onTimeout] = ['quorum', 'four_eyes', 'comment', 'on_timeout'].map(get);
  const people = quorum && quorumSetting(quorum, report);
  if (people) policy.quorum = people;
  if (fourEyes && booleanOf(fourEyes, report)) policy.fourEyes = fourEyes.keyAt;
  const rule = comment && wordOf(comment, COMMENT_RULES, report);
  if (rule) policy.comment = rule.value;
  const word = onTimeout && wordOf(onTimeout, timeouts, report)?.value;
  if (word && word !== 'wait') policy.onTimeout = word;
  if (onTimeout && !get('timeout') && !get('timeout_ms')) {
    report('shape.missing-key', onTimeout.keyAt, '"on_timeout" requires a "timeout"', 'add `timeout: 24h`');
  }
}
