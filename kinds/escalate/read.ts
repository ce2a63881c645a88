import type { Report } from '../../compiler/diagnostics/diagnostic';
import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../compiler/read/node';
import { spansWithin } from '../../compiler/read/offsets';
import { readActions } from '../../compiler/shape/action';
import { formAt } from '../../compiler/shape/form';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import { memberOf } from '../../compiler/shape/members';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { readTarget } from '../../compiler/shape/target';
import { templateAt } from '../../compiler/shape/template-value';
import { booleanOf, conflict, durationOf, integerOf, mappingOf, sequenceOf, textOf, wordOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { LEVEL_TIMEOUTS } from './rules/issue';
import type { EscalateSource, LevelSource } from './source';

/** Reads the issue, the levels, and the check. */
export function readEscalate(node: MappingNode, _step: StepSource, { report }: ReadContext): EscalateSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: EscalateSource = { kind: 'escalate' };
  requireKey(node, 'levels', 'a step of kind "escalate"', report, 'add `levels: [executor, specialist, human]`');
  const [issue, levels, solved, rootCause, remember] = ['issue', 'levels', 'solved_when', 'on_root_cause', 'remember'].map(get);
  if (issue) {
    work.issueAt = issue.keyAt;
    const form = formAt(issue, report);
    if (form) work.issue = form;
  }
  if (levels) readLevels(work, levels, report);
  if (solved) readSolved(work, solved, report);
  const actions = rootCause && readActions(rootCause, 'on_root_cause', report);
  if (actions) work.onRootCause = actions;
  if (!remember || booleanOf(remember, report)) work.remember = true;
  return work;
}

function readLevels(work: EscalateSource, entry: Entry, report: Report): void {
  const list = sequenceOf(entry, report, 'a list such as [executor, specialist, human]');
  if (!list) return;
  work.levelsAt = list.at;
  work.levels = list.items.flatMap((value) => levelOf({ ...entry, value }, report) ?? []);
}

function levelOf(entry: Entry, report: Report): LevelSource | undefined {
  const { value } = entry;
  if (value.kind === 'mapping') return levelIn(value, report);
  const target = value.kind === 'scalar' && typeof value.value === 'string' ? humanIn(value) : undefined;
  if (target) return target;
  const member = memberOf(entry, report);
  if (!member) return undefined;
  const { name } = member;
  return member.kind === 'agent' ? { kind: 'agent', agent: name, at: name.at } : { kind: 'person', name, at: name.at };
}

/** `human` and `human("#desk")`, as in every other chain. */
function humanIn(node: Extract<SourceNode, { kind: 'scalar' }>): LevelSource | undefined {
  const target = readTarget(node.text, node.at, 0, spansWithin(node));
  if (target?.kind === 'human') return { kind: 'person', at: node.at, ...(target.channel ? { channel: target.channel } : {}) };
  return target?.id.value === 'human' ? { kind: 'person', at: node.at } : undefined;
}

function levelIn(node: MappingNode, report: Report): LevelSource | undefined {
  checkKeys(node, { what: 'a level of an escalate step', known: keysOf('escalate-level') }, report);
  const [agent, human, attempts, timeout, onTimeout] = ['agent', 'human', 'attempts', 'timeout', 'on_timeout'].map((key) =>
    entryOf(node, key),
  );
  if (agent && human) conflict(agent, human, report);
  if (!agent && !human)
    requireKey(node, 'agent', 'a level of an escalate step', report, 'add `agent:`, or `human:` with a channel or a person');
  const most = attempts && integerOf(attempts, RANGES.levelAttempts.min, RANGES.levelAttempts.max, report);
  const common = { at: node.at, ...(most === undefined ? {} : { attempts: most }) };
  if (agent) {
    for (const key of [timeout, onTimeout])
      if (key)
        report(
          'shape.key-not-here',
          key.keyAt,
          `an agent’s level does not take "${key.key}"`,
          'it is for a person; an attempt of an agent has the `timeout` of the step',
        );
    const name = textOf(agent, report);
    return name && { kind: 'agent', agent: name, ...common };
  }
  const name = human && textOf(human, report);
  if (!name) return undefined;
  const timeoutMs = timeout && durationOf(timeout, report);
  const outcome = onTimeout && wordOf(onTimeout, LEVEL_TIMEOUTS, report)?.value;
  if (onTimeout && !timeout) report('shape.missing-key', onTimeout.keyAt, '"on_timeout" requires a "timeout"', 'add `timeout: 24h`');
  return {
    kind: 'person',
    ...common,
    ...(name.value.startsWith('#') ? { channel: name } : { name }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(outcome ? { onTimeout: outcome } : {}),
  };
}

function readSolved(work: EscalateSource, entry: Entry, report: Report): void {
  const node = mappingOf(entry, report, 'a mapping such as {run: npm test}');
  if (!node) return;
  checkKeys(node, { what: '"solved_when"', known: keysOf('solved-when') }, report);
  requireKey(node, 'run', '"solved_when"', report, 'add `run:`, a command that succeeds once the issue is solved');
  const command = entryOf(node, 'run');
  const template = command && textOf(command, report) && templateAt(command, report);
  if (template) work.solvedWhen = template;
}
