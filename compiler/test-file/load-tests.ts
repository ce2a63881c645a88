import { checkArgs } from '../../plan/args';
import type { Plan } from '../../plan/plan';
import type { Script } from '../../plan/script';
import { type Compiled, compilePipeline, type Refused } from '../compile';
import { type Diagnostic, diagnosticAt, hasErrors, inSourceOrder, type Report, sourceText, topOf } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { checkScript } from '../script/check-script';
import { besideFile, type Sources } from '../sources';
import { checkCommands, checkNames, checkPeople } from './check-names';
import { childPlans } from './child-plans';
import { deedOf } from './deed';
import { type Given, type ReadTest, type ReadTestFile, readTestFile } from './read-test-file';
import { DEFAULT_START_MS, type PipelineTest } from './test-file';
import { type ScriptReading, scriptOf } from './test-script';

/**
 * A test file with everything it names: its pipeline, compiled; scripts; tests that are checked against the plan.
 * Invariants: 1. pure: files come through `Sources`; 2. no exception for a writer's mistake; 3. tests are answered exactly
 * where nothing is wrong, in the test file or in what it names.
 */
export interface LoadedTests {
  pipelineFile: string;
  compiled: Compiled;
  tests: PipelineTest[];
  /** Warnings. */
  diagnostics: Diagnostic[];
}
export interface RefusedTests {
  tests?: undefined;
  diagnostics: Diagnostic[];
}

export type Compile = (file: string, text: string, sources: Sources) => Compiled | Refused;

/** `release.test.yaml` → what stands before. */
export const TEST_FILE = /\.test\.(?:ya?ml|json)$/;
export const PIPELINE_EXTENSIONS = ['.yaml', '.yml', '.json', '.lobster'] as const;

/** @param compile stands in for the compiler where the caller keeps what was compiled before */
export function loadTests(file: string, text: string, sources: Sources, compile: Compile = compilePipeline): LoadedTests | RefusedTests {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (code, at, message, hint) => {
    diagnostics.push(diagnosticAt(code, at, message, hint));
  };
  const read = readTestFile(sourceText(file, text), report);
  const pipeline = read && findPipeline(read, sources, report);
  if (!read || !pipeline) return { diagnostics: inSourceOrder(diagnostics, file) };
  const compiled = compile(pipeline.file, pipeline.text, sources);
  diagnostics.push(...compiled.diagnostics);
  const tests = compiled.plan ? resolveTests(read, { compiled, pipelineFile: pipeline.file, sources, report, diagnostics }) : [];
  const inOrder = onceEach(inSourceOrder(diagnostics, file));
  if (!compiled.plan || hasErrors(inOrder)) return { diagnostics: inOrder };
  return { pipelineFile: pipeline.file, compiled, tests, diagnostics: inOrder };
}

function findPipeline(read: ReadTestFile, sources: Sources, report: Report): { file: string; text: string } | undefined {
  const { source, pipeline } = read;
  const stem = source.file.replace(TEST_FILE, '');
  const candidates = pipeline ? [besideFile(source.file, pipeline.value)] : PIPELINE_EXTENSIONS.map((extension) => `${stem}${extension}`);
  for (const file of candidates) {
    const text = sources.read(file);
    if (text !== undefined) return { file, text };
  }
  const beside = sources.list(besideFile(source.file, '.')).filter((name) => isPipelineFile(name));
  const wanted = pipeline?.value ?? `${stem.split('/').pop()}.yaml`;
  const hint = didYouMean(wanted, beside, 'name it with `pipeline:`, from the folder of this file');
  report('test.no-pipeline', pipeline?.at ?? topOf(source), `there is no pipeline ${candidates.join(' or ')}`, hint);
  return undefined;
}

function isPipelineFile(name: string): boolean {
  return PIPELINE_EXTENSIONS.some((extension) => name.endsWith(extension)) && !TEST_FILE.test(name);
}

interface Resolving {
  compiled: Compiled;
  pipelineFile: string;
  sources: Sources;
  report: Report;
  diagnostics: Diagnostic[];
}

function resolveTests(file: ReadTestFile, around: Resolving): PipelineTest[] {
  const { compiled, report, diagnostics } = around;
  const reading: ScriptReading = { ...around, places: [file.places], read: new Map() };
  const children = childPlans(compiled);

  const checked = new Set<Script>();
  const check = (script: Script, plan: Plan): void => {
    if (!checked.has(script)) diagnostics.push(...checkScript(script, plan, reading.places));
    checked.add(script);
  };
  return file.tests.map((test): PipelineTest => {
    const layers = [file.given, test.given];
    const script = scriptOf(layers, reading);
    check(script, compiled.plan);
    const commands = commandsOf(layers);
    checkCommands(commands, compiled.plan, file.places, report);
    const resolved: PipelineTest = {
      name: test.name.value,
      line: diagnosticAt('test.duplicate-name', test.name.at, '').line,
      at: test.name.at,
      args: argsOf(test, layers, compiled.plan, report),
      script,
      commands,
      children: {},
      people: test.given.people ?? file.given.people ?? script.people.map((person) => deedOf(person, test.name.at)),
      startMs: test.given.startMs ?? file.given.startMs ?? DEFAULT_START_MS,
      expect: test.expect,
    };
    const untilMs = test.given.untilMs ?? file.given.untilMs;
    if (untilMs !== undefined) resolved.untilMs = untilMs;
    for (const [name, at] of childNames(layers)) {
      const plan = children.get(name);
      if (!plan) {
        const known = [...children.keys()];
        report(
          'test.no-child',
          at,
          `there is no child pipeline "${name}"`,
          didYouMean(name, known, `known: ${known.join(', ') || 'none'}`),
        );
        continue;
      }
      const own = layers.flatMap((layer) => (Object.hasOwn(layer.children, name) ? (layer.children[name] ?? []) : []));
      const child = { script: scriptOf(own, reading), commands: commandsOf(own) };
      check(child.script, plan);
      checkCommands(child.commands, plan, file.places, report);
      resolved.children[name] = child;
    }
    checkPeople(resolved.people, compiled.plan, children, report);
    checkNames(test.named, compiled.plan, children, report);
    return resolved;
  });
}

function commandsOf(layers: readonly Pick<Given, 'commands'>[]): PipelineTest['commands'] {
  return Object.assign({}, ...layers.map(({ commands }) => commands)) as PipelineTest['commands'];
}

function childNames(layers: readonly Given[]): Map<string, PipelineTest['at']> {
  return new Map(layers.flatMap(({ children }) => Object.entries(children).map(([name, { at }]) => [name, at] as const)));
}

/** The test's own args win over those of its file. A test that expects args to be refused may have bad ones. */
function argsOf(test: ReadTest, layers: readonly Given[], plan: Plan, report: Report): PipelineTest['args'] {
  const given = new Map(layers.flatMap(({ args }) => args.map((arg) => [arg.name, arg] as const)));
  const args = Object.fromEntries([...given.values()].map(({ name, value }) => [name, value]));
  if (test.expect.error?.code === 'args.invalid') return args;
  for (const { arg, problem } of checkArgs(plan.args, args).problems) {
    report('test.bad-args', given.get(arg)?.at ?? test.name.at, `arg "${arg}" of ${plan.name} ${problem}`);
  }
  return args;
}

/** A script that several tests share has each of its mistakes once. */
function onceEach(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const said = new Set<string>();
  return diagnostics.filter(({ code, file, startOffset, message }) => {
    const key = `${code} ${file} ${startOffset} ${message}`;
    return !said.has(key) && said.add(key);
  });
}
