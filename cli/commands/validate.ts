import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TriggerState } from '../../client/apply-schedules';
import type { WantedSchedule } from '../../client/schedule-options';
import type { Diagnostic } from '../../compiler/diagnostics/diagnostic';
import { diagnosticLines } from '../../compiler/diagnostics/lines';
import type { Installation } from '../../compiler/installation';
import { defined, unlessEmpty } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { field } from '../../plan/text/json';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import { compilerInstallation } from '../pipelines/installation';
import { compile, findPipeline, format, loadScript, type PipelineFile, readPipeline } from '../pipelines/pipelines';
import { askRunningServer } from '../session/running-server';
import type { Configuration } from '../settings/configuration';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
import { TestReader } from '../testing/read-tests';
import { printStale, staleTriggers, triggersIn } from '../triggers/trigger-news';

/** The result for one file; `problem` is what kept it, or its script, from being checked at all. */
interface Checked {
  file: string;
  ok: boolean;
  pipeline?: string;
  planSha256?: string;
  diagnostics: readonly Diagnostic[];
  problem?: { code: string; message: string; problems?: readonly string[] };
  /** How its trigger differs from the schedule on the server. */
  trigger?: TriggerState['state'];
}

/** Checks every file, whatever is wrong with earlier ones. Loads no part of Temporal, except for triggers if a server runs. */
export async function execute({ args, options, terminal }: Invocation): Promise<number> {
  const configuration = configurationOf({ options, terminal });
  const installation = compilerInstallation(configuration);
  const triggers: WantedSchedule[] = [];
  const checked = args.map((file) => check(file, options.text('script'), { cwd: terminal.cwd, configuration, installation, triggers }));
  const stale = await staleOnServer(configuration, triggers);
  for (const { pipeline, state } of stale) Object.assign(checked.find((one) => one.pipeline === pipeline) ?? {}, { trigger: state });
  const ok = checked.every((one) => one.ok);
  const format = options.flag('json') ? 'json' : options.text('format');
  if (format === 'json') terminal.out(`${JSON.stringify({ ok, files: checked.map(withDocs) }, null, 2)}\n`);
  else for (const one of checked) (format === 'lines' ? printLines : print)(one, terminal);
  if (format !== 'json' && format !== 'lines') printStale(stale, terminal);
  return ok ? EXIT.done : EXIT.usage;
}

/** With each diagnostic, for `--json`, where the pages explain its code: the anchor is that of the site which `npm run docs` builds. */
function withDocs(one: Checked): Checked {
  return { ...one, diagnostics: one.diagnostics.map((found) => ({ ...found, docs: `docs/diagnostics.md#${found.code}` })) };
}

/** The server has so long: whether a file is right does not depend on it. */
const SERVER_LIMIT_MS = 1_500;

/** The stale triggers on a running server; starts none. */
async function staleOnServer(configuration: Configuration, triggers: readonly WantedSchedule[]): Promise<TriggerState[]> {
  if (triggers.length === 0) return [];
  return (await askRunningServer(configuration, SERVER_LIMIT_MS, (client) => staleTriggers({ client, configuration }, triggers))) ?? [];
}

interface Around {
  cwd: string;
  configuration: Configuration;
  installation: Installation;
  /** Gets those that are found. */
  triggers: WantedSchedule[];
}

function check(file: string, script: string | undefined, around: Around): Checked {
  const { installation } = around;
  try {
    if (isTestFile(file)) return checkTests(file, around);
    const pipeline = named(file, around);
    const compiled = compile(pipeline, { installation });
    if (compiled.plan) around.triggers.push(...triggersIn(compiled.plan));
    if (compiled.plan === undefined) return { file, ok: false, diagnostics: compiled.diagnostics };
    const found: Checked = {
      file,
      ok: true,
      pipeline: compiled.plan.name,
      planSha256: compiled.planSha256,
      diagnostics: compiled.diagnostics,
    };
    if (script === undefined) return found;
    try {
      loadScript(pipeline, script, compiled.plan);
      return found;
    } catch (error) {
      return { ...found, ok: false, problem: problemOf(error) };
    }
  } catch (error) {
    return { file, ok: false, diagnostics: [], problem: problemOf(error) };
  }
}

/** A file of any name counts before a pipeline of that name: globs name files. */
function named(given: string, { cwd, configuration }: Around): PipelineFile {
  const isFile = statSync(resolve(cwd, given), { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile ? readPipeline(given, cwd) : findPipeline(given, configuration, cwd);
}

/** Whether it is a test file: tests are next to pipelines, so a glob of all files names them too. */
function isTestFile(file: string): boolean {
  return /\.test\.(?:ya?ml|json)$/.test(file);
}

function checkTests(file: string, { cwd, installation }: Around): Checked {
  const { loaded } = new TestReader(cwd, installation).read(file);
  const { diagnostics } = loaded;
  return loaded.tests ? { file, ok: true, pipeline: loaded.compiled.plan.name, diagnostics } : { file, ok: false, diagnostics };
}

function problemOf(error: unknown): NonNullable<Checked['problem']> {
  if (error instanceof CommandFailure) {
    const { hint } = error.more;
    return { code: error.code, message: hint ? `${error.message}; ${hint}` : error.message };
  }
  if (!(error instanceof ThermidorFailure)) throw error;
  const listed = field(error.details, 'problems');
  // Located ones are in the message.
  const problems = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
  return { code: error.code, message: error.message, ...defined({ problems: unlessEmpty(problems) }) };
}

/** Prints one line for each mistake, and none for valid files: for the problem matchers of editors. */
function printLines({ file, diagnostics, problem }: Checked, { out }: Terminal): void {
  out(diagnosticLines(diagnostics));
  for (const message of problem === undefined ? [] : [problem.message, ...(problem.problems ?? [])])
    out(`${file}:1:1: error ${problem?.code}: ${message}\n`);
}

function print({ file, ok, pipeline, diagnostics, problem }: Checked, { out, colors }: Terminal): void {
  if (diagnostics.length > 0) out(`${format(diagnostics, colors.isColorSupported)}\n`);
  if (problem !== undefined) {
    out(`${colors.red('✗')} ${problem.message}  ${colors.dim(problem.code)}\n`);
    for (const line of problem.problems ?? []) out(`  - ${line}\n`);
  }
  if (ok) out(`${colors.green('✓')} ${file}  ${colors.dim(pipeline ?? '')}\n`);
}
