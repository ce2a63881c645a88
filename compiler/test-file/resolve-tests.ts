import type { Script } from '../../plan/agents/script';
import type { Plan } from '../../plan/plan';
import { checkArgs } from '../../plan/run/args';
import type { Compiled } from '../compile';
import { type Diagnostic, diagnosticAt, type Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { checkScript } from '../script/check-script';
import type { Sources } from '../sources';
import { checkCommands, checkMerges, checkPeople, checkTasks, checkTestNames } from './check-names';
import { childPlans } from './child-plans';
import { personActionOf } from './person-action';
import type { GivenStandIns, ReadTest, ReadTestFile, TestOptions } from './read-test-file';
import { DEFAULT_START_MS, type PipelineTest } from './test-file';
import { type ScriptReading, scriptOfTest } from './test-script';

/** What the tests of a file are resolved against. */
export interface Resolving {
  compiled: Compiled;
  pipelineFile: string;
  sources: Sources;
  report: Report;
  diagnostics: Diagnostic[];
}

type StandIns = Pick<PipelineTest, 'script' | 'commands' | 'merges' | 'tasks'>;

/** Resolves tests to their form at run time: the file's defaults are filled in, and every name is looked up. */
export function resolveTests(file: ReadTestFile, around: Resolving): PipelineTest[] {
  const { compiled, report } = around;
  const { plan } = compiled;
  const children = childPlans(compiled);
  const standIns = standInsReader(file, around);
  return file.tests.map((test): PipelineTest => {
    const layers = [file.given, test.given];
    const own = standIns(layers, plan);
    const resolved: PipelineTest = {
      ...own,
      name: test.name.value,
      line: diagnosticAt('test.duplicate-name', test.name.at, '').line,
      at: test.name.at,
      args: argsOf(test, layers, plan, report),
      children: childrenOf(layers, children, standIns, report),
      people: test.given.people ?? file.given.people ?? own.script.people.map((person) => personActionOf(person, test.name.at)),
      startMs: test.given.startMs ?? file.given.startMs ?? DEFAULT_START_MS,
      expect: test.expect,
    };
    const scheduledMs = test.given.scheduledMs ?? file.given.scheduledMs;
    if (scheduledMs !== undefined) resolved.scheduledMs = scheduledMs;
    const untilMs = test.given.untilMs ?? file.given.untilMs;
    if (untilMs !== undefined) resolved.untilMs = untilMs;
    checkPeople(resolved.people, plan, children, report);
    checkTestNames(test.named, plan, children, report);
    return resolved;
  });
}

/** Reads stand-ins for a plan's agents, commands, merges and tasks, checked against the plan. */
function standInsReader(file: ReadTestFile, around: Resolving): (layers: readonly GivenStandIns[], plan: Plan) => StandIns {
  const reading: ScriptReading = { ...around, places: [file.places], read: new Map() };
  const checked = new Set<Script>();
  return (layers, plan) => {
    const script = scriptOfTest(layers, reading);
    if (!checked.has(script)) around.diagnostics.push(...checkScript(script, plan, reading.places));
    checked.add(script);
    const commands = Object.fromEntries(layers.flatMap((layer) => Object.entries(layer.commands)));
    checkCommands(commands, { plan, blobs: around.compiled.blobs }, file.places, around.report);
    const merges = Object.fromEntries(layers.flatMap((layer) => Object.entries(layer.merges)));
    checkMerges(merges, plan, file.places, around.report);
    const tasks = Object.fromEntries(layers.flatMap((layer) => Object.entries(layer.tasks)));
    checkTasks(tasks, plan, file.places, around.report);
    return { script, commands, merges, tasks };
  };
}

function childrenOf(
  layers: readonly TestOptions[],
  children: ReadonlyMap<string, Plan>,
  standIns: ReturnType<typeof standInsReader>,
  report: Report,
): PipelineTest['children'] {
  const named = new Map(layers.flatMap((layer) => Object.entries(layer.children).map(([name, { at }]) => [name, at] as const)));
  const found: PipelineTest['children'] = {};
  for (const [name, at] of named) {
    const plan = children.get(name);
    if (plan) {
      const own = layers.flatMap((layer) => (Object.hasOwn(layer.children, name) ? (layer.children[name] ?? []) : []));
      found[name] = standIns(own, plan);
      continue;
    }
    const known = [...children.keys()];
    report('test.no-child', at, `there is no child pipeline "${name}"`, didYouMean(name, known, `known: ${known.join(', ') || 'none'}`));
  }
  return found;
}

/** The test's own args win over those of its file. A test that expects args to be refused may have bad ones. */
function argsOf(test: ReadTest, layers: readonly TestOptions[], plan: Plan, report: Report): PipelineTest['args'] {
  const given = new Map(layers.flatMap(({ args }) => args.map((arg) => [arg.name, arg] as const)));
  const args = Object.fromEntries([...given.values()].map(({ name, value }) => [name, value]));
  if (test.expect.error?.code === 'args.invalid') return args;
  for (const { arg, problem } of checkArgs(plan, args).problems) {
    report('test.bad-args', given.get(arg)?.at ?? test.name.at, `arg "${arg}" of ${plan.name} ${problem}`);
  }
  return args;
}
