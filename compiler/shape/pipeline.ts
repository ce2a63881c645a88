import type { ChannelSpec, Trigger } from '../../plan/plan';
import type { Located, Report } from '../diagnostics/diagnostic';
import { readExpression } from '../expression/template';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { spotsWithin } from '../read/offsets';
import { readTarget, type TargetSource } from './action';
import { readArgs } from './args';
import { checkKeys, headOf, requireKey } from './keys';
import { checkName } from './names';
import type { PipelineSource, StepSource } from './source';
import { readStep } from './step';
import { readTrigger } from './trigger';
import { integerOf, mappingOf, sequenceOf, textOf, wrongType } from './values';
import { FILE_KEYS, FILE_KEYS_LATER } from './vocabulary';

/** Reads a whole pipeline file. Whatever is wrong in one place does not keep the other places from being read. */
export function readPipeline(root: MappingNode, report: Report): PipelineSource {
  const get = (key: (typeof FILE_KEYS)[number]): Entry | undefined => entryOf(root, key);
  checkKeys(root, { what: 'a pipeline', known: FILE_KEYS, later: FILE_KEYS_LATER }, report);
  requireKey(root, 'name', 'the pipeline', report);
  requireKey(root, 'steps', 'the pipeline', report);

  const manual: Trigger = { kind: 'manual' };
  const [trigger, args, steps] = [get('trigger'), get('args'), get('steps')];
  const pipeline: PipelineSource = {
    trigger: trigger ? readTrigger(trigger, report) : manual,
    args: args ? readArgs(args, report) : new Map(),
    agents: namedEntries(get('agents'), 'a mapping of ids to definitions or paths', report),
    schemas: namedEntries(get('schemas'), 'a mapping of outputs to schemas or paths', report),
    channels: readChannels(get('channels'), report),
    steps: steps ? readSteps(steps, report) : [],
    at: headOf(root),
  };
  for (const [id, { keyAt }] of pipeline.agents) checkName({ value: id, at: keyAt }, 'agent', report);

  const [name, description, owner, limits, escalation, output] = [
    get('name'),
    get('description'),
    get('owner'),
    get('limits'),
    get('escalation'),
    get('output'),
  ];
  const called = name && textOf(name, report);
  if (called && checkName(called, 'pipeline', report)) pipeline.name = called;
  const text = description && textOf(description, report);
  if (text) pipeline.description = text.value.trim();
  const owned = owner && textOf(owner, report);
  if (owned) pipeline.owner = owned;
  const concurrent = limits && readLimits(limits, report);
  if (concurrent !== undefined) pipeline.concurrent = concurrent;
  if (escalation) pipeline.escalation = readEscalation(escalation, report);
  if (output && output.value.kind !== 'scalar') wrongType(output.value, 'output', 'an expression', report);
  const result = output?.value.kind === 'scalar' ? readExpression(output.value, report) : undefined;
  if (result) pipeline.output = result;
  return pipeline;
}

function namedEntries(entry: Entry | undefined, expected: string, report: Report): Map<string, Entry> {
  const entries = entry && mappingOf(entry, report, expected)?.entries;
  return new Map((entries ?? []).map((item) => [item.key, item]));
}

function readSteps(entry: Entry, report: Report): StepSource[] {
  const list = sequenceOf(entry, report, 'a list of steps');
  if (list?.items.length === 0) report('shape.out-of-range', entry.value.at, '"steps" is empty', 'add a step');
  return list?.items.flatMap((item) => readStep(item, report) ?? []) ?? [];
}

const MAX_CONCURRENT = 64;

function readLimits(entry: Entry, report: Report): number | undefined {
  const node = mappingOf(entry, report);
  if (!node) return undefined;
  checkKeys(node, { what: '"limits"', known: ['concurrent'], later: ['depth', 'children'] }, report);
  const concurrent = entryOf(node, 'concurrent');
  return concurrent && integerOf(concurrent, 1, MAX_CONCURRENT, report);
}

function readEscalation(entry: Entry, report: Report): Located<TargetSource>[] {
  const items = entry.value.kind === 'sequence' ? entry.value.items : [entry.value];
  return items.flatMap((value) => {
    const text = textOf({ ...entry, value }, report);
    if (!text || value.kind !== 'scalar') return [];
    const target = readTarget(text.value, text.at, 0, spotsWithin(value));
    if (target) return [{ value: target, at: text.at }];
    report('action.syntax', text.at, `"${text.value}" is neither an agent nor human`, 'write an agent’s id, human or human("#channel")');
    return [];
  });
}

function readChannels(entry: Entry | undefined, report: Report): Map<string, ChannelSpec> {
  const found = new Map<string, ChannelSpec>();
  for (const item of (entry && mappingOf(entry, report, 'a mapping of channels'))?.entries ?? []) {
    const spec: ChannelSpec = {};
    found.set(item.key, spec);
    if (item.value.kind === 'scalar' && item.value.value === null) continue;
    const node = mappingOf(item, report, 'a mapping such as {webhook, mention}');
    if (!node) continue;
    checkKeys(node, { what: `the channel "${item.key}"`, known: ['webhook', 'mention'], later: ['discord', 'slack'] }, report);
    const [webhook, mention] = [entryOf(node, 'webhook'), entryOf(node, 'mention')];
    const url = webhook && textOf(webhook, report);
    if (url) spec.webhook = url.value;
    const person = mention && textOf(mention, report);
    if (person) spec.mention = person.value;
  }
  return found;
}
