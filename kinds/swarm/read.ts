import type { Located, Report } from '../../compiler/diagnostics/diagnostic';
import { NAME } from '../../compiler/language/patterns';
import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { readActions } from '../../compiler/shape/action';
import { formAt } from '../../compiler/shape/form';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { readTests } from '../../compiler/shape/tests';
import { integerOf, mappingOf, namesOf, textOf, wordOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import type { SwarmSource } from './source';

/** Reads what blocks the run, who looks for its cause, and the check. */
export function readSwarm(node: MappingNode, _step: StepSource, { report }: ReadContext): SwarmSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: SwarmSource = { kind: 'swarm' };
  const what = 'a step of kind "swarm"';
  requireKey(node, 'agents', what, report, 'add `agents: {planner: architecture, tester: environment}`');
  requireKey(node, 'verify', what, report, 'add `verify:`, a command that fails as long as the issue is not solved');
  const [issue, affected, agents, pause] = ['issue', 'affected', 'agents', 'pause'].map(get);
  if (issue) {
    work.issueAt = issue.keyAt;
    const form = formAt(issue, report);
    if (form) work.issue = form;
  }
  const steps = affected && namesOf(affected, report);
  if (steps) work.affected = steps;
  if (agents) readAgents(work, agents, report);
  const word = pause && wordOf(pause, ['others', 'nothing'], report);
  if (word) work.pauses = word.value === 'others';
  const [fixer, verify, rounds, failed] = ['fixer', 'verify', 'rounds', 'on_fail'].map(get);
  const name = fixer && textOf(fixer, report);
  if (name && name.value !== 'best') work.fixer = name;
  if (verify) readVerify(work, verify, report);
  const most = rounds && integerOf(rounds, RANGES.voteRounds.min, RANGES.voteRounds.max, report);
  if (most !== undefined) work.rounds = most;
  const actions = failed && readActions(failed, 'on_fail', report);
  if (actions) work.onFail = actions;
  return work;
}

function readAgents(work: SwarmSource, entry: Entry, report: Report): void {
  const node = mappingOf(entry, report, 'a mapping of agents to perspectives such as {planner: architecture}');
  if (!node) return;
  work.agentsAt = node.at;
  work.agents = node.entries.flatMap((item) => {
    const agent: Located<string> = { value: item.key, at: item.keyAt };
    if (!NAME.test(item.key)) {
      report('names.invalid', item.keyAt, `"${item.key}" is not the name of an agent`, 'write letters, digits, "-" and "_"');
      return [];
    }
    const perspective = textOf(item, report);
    return perspective ? [{ agent, perspective: perspective.value }] : [];
  });
}

/** A command of the shell, or one whose tests are counted. */
function readVerify(work: SwarmSource, entry: Entry, report: Report): void {
  if (entry.value.kind !== 'mapping') {
    const command = textOf(entry, report) && templateAt(entry, report);
    if (command) work.verify = command;
    return;
  }
  checkKeys(entry.value, { what: '"verify"', known: keysOf('verify') }, report);
  requireKey(entry.value, 'run', '"verify"', report, 'add `run:`, a command that fails as long as the issue is not solved');
  const [run, tests] = [entryOf(entry.value, 'run'), entryOf(entry.value, 'tests')];
  const command = run && textOf(run, report) && templateAt(run, report);
  if (command) work.verify = command;
  const source = tests && readTests(tests, report);
  if (source) work.tests = source;
}
