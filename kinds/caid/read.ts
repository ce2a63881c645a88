import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import { branchAt, repositoryAt } from '../../compiler/shape/repository';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { integerOf, mappingOf, sequenceOf, textOf, textsOf, wordOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { ISOLATIONS, TASK_TYPES, VERIFY_POLICIES } from './rules/team';
import type { CaidSource } from './source';

/** A manager, its engineers, and how their work comes together. */
export function readCaid(node: MappingNode, _step: StepSource, reading: ReadContext): CaidSource {
  const { report } = reading;
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const text = (key: string) => {
    const entry = get(key);
    return entry && textOf(entry, report);
  };
  const work: CaidSource = { kind: 'caid' };
  for (const [key, hint] of REQUIRED) requireKey(node, key, 'a step of kind "caid"', report, hint);
  const [prompt, repo] = [get('prompt'), get('repo')];
  const [goal, repository] = [prompt && textOf(prompt, report) && templateAt(prompt, report), repo && repositoryAt(repo, report)];
  if (goal) work.prompt = goal;
  if (repository) work.repo = repository;
  const [remote, base, manager] = ['remote', 'base', 'manager'].map(text);
  const target = get('into');
  const into = target && branchAt(target, report);
  if (remote) work.remote = remote.value;
  if (base) work.base = base.value;
  if (into) work.into = into;
  if (manager) work.manager = manager;
  readEngineers(work, get('engineers'), reading);
  readTests(work, get('test'), reading);
  readLimits(work, get('limits'), reading);
  const [type, verify, isolation] = [get('task_type'), get('verify'), get('isolation')];
  const [ofType, policy, apart] = [
    type && wordOf(type, TASK_TYPES, report),
    verify && wordOf(verify, VERIFY_POLICIES, report),
    isolation && wordOf(isolation, ISOLATIONS, report),
  ];
  if (ofType) work.taskType = ofType.value;
  if (policy) work.verify = policy.value;
  if (apart) work.isolation = apart.value;
  for (const key of ['copy', 'restricted'] as const) {
    const entry = get(key);
    const texts = entry && textsOf(entry, report);
    if (texts) work[key] = texts.map(({ value }) => value);
  }
  const setup = get('setup');
  const commands = setup && sequenceOf(setup, report, 'a list of commands');
  if (setup && commands) {
    work.setup = commands.items.flatMap((value) => {
      const entry = { ...setup, value };
      const template = textOf(entry, report) && templateAt(entry, report);
      return template ? [template] : [];
    });
  }
  return work;
}

const REQUIRED = [
  ['prompt', 'add `prompt:`, what is to be built'],
  ['into', 'add `into: main`, the branch that tested merges move'],
  ['manager', 'add `manager:`, the agent that divides the work'],
  ['engineers', 'add `engineers: {agent: …, max: 4}`, the agent that does the tasks'],
] as const;

function readEngineers(work: CaidSource, entry: Entry | undefined, { report }: ReadContext): void {
  if (!entry) return;
  if (entry.value.kind === 'scalar') {
    const agent = textOf(entry, report);
    if (agent) work.engineers = agent;
    return;
  }
  const node = mappingOf(entry, report, 'an agent, or a mapping such as {agent: engineer, max: 4}');
  if (!node) return;
  checkKeys(node, { what: '"engineers"', known: keysOf('engineers') }, report);
  requireKey(node, 'agent', '"engineers"', report, 'add `agent:`');
  const [agent, max] = [entryOf(node, 'agent'), entryOf(node, 'max')];
  const name = agent && textOf(agent, report);
  if (name) work.engineers = name;
  const most = max && integerOf(max, RANGES.engineers.min, RANGES.engineers.max, report);
  if (max && most !== undefined) work.most = { value: most, at: max.value.at };
}

/** One command serves each merged tree and the last. */
function readTests(work: CaidSource, entry: Entry | undefined, { report }: ReadContext): void {
  if (!entry) return;
  if (entry.value.kind === 'scalar') {
    const command = textOf(entry, report);
    if (command) Object.assign(work, { testEach: command.value, testEnd: command.value });
    return;
  }
  const node = mappingOf(entry, report, 'a command, or a mapping such as {each: npm run lint, end: npm test}');
  if (!node) return;
  checkKeys(node, { what: '"test"', known: keysOf('team-tests') }, report);
  const [each, end] = [entryOf(node, 'each'), entryOf(node, 'end')];
  const [always, last] = [each && textOf(each, report), end && textOf(end, report)];
  if (always) work.testEach = always.value;
  if (last) work.testEnd = last.value;
}

function readLimits(work: CaidSource, entry: Entry | undefined, { report }: ReadContext): void {
  const node = entry && mappingOf(entry, report, 'a mapping such as {rounds: 22}');
  if (!node) return;
  checkKeys(node, { what: '"limits" of a caid step', known: keysOf('team-limits') }, report);
  for (const [key, field, range] of LIMITS) {
    const written = entryOf(node, key);
    const number = written && integerOf(written, range.min, range.max, report);
    if (number !== undefined) work[field] = number;
  }
}

const LIMITS = [
  ['rounds', 'rounds', RANGES.teamRounds],
  ['rounds_per_engineer', 'roundsPerEngineer', RANGES.teamRounds],
  ['returns', 'returns', RANGES.rounds],
] as const;
