import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { execute as runTests } from '../../cli/commands/test';
import { execute as validate } from '../../cli/commands/validate';
import { compilerInstallation } from '../../cli/pipelines/installation';
import { configurationOf } from '../../cli/settings/settings';
import type { SuiteReport } from '../../cli/testing/report';
import { type Compiled, compilePipeline } from '../../compiler';
import type { RunState } from '../../plan/run/status';
import { mayOpenGate } from '../../plan/steps/opens-gate';
import type { AgentStep, ReviewStep, Step } from '../../plan/steps/step';
import { stepsOfPlan } from '../../plan/steps/walk';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { FolderSources } from '../../worker/folder-sources';
import { fakeTerminal } from '../cli/fake-terminal';

type Execute = typeof runTests;

/** Runs a command of the command line in this process: what it prints, and its exit code. */
export async function commanded(execute: Execute, cwd: string, args: string[], options: Record<string, unknown> = {}) {
  const terminal = fakeTerminal({ cwd, env: {} });
  const exit = await execute({ args, options: new Options(options), terminal, catalogue: { commands: [], nouns: {} } });
  return { exit, ...terminal.written };
}

/** What `thermidor validate` reports about a file; nothing if it accepts it. */
export async function mistakesOf(cwd: string, file: string): Promise<string> {
  const { exit, out } = await commanded(validate, cwd, [file]);
  return exit === 0 ? '' : out;
}

/**
 * Plays a pipeline of a folder to its end on the test bench: its commands run as they are, its agents answer as their schemas or `script`
 * require, and everybody says yes. A test cannot prove who answers, so a pipeline that requires proof waits.
 */
export async function playPrinted(
  cwd: string,
  file: string,
  compiled: Compiled,
  { script, end }: { script?: string | undefined; end: RunState },
): Promise<SuiteReport> {
  const steps = stepsOfPlan(compiled.plan);
  const voters = [...new Set(['reader', ...votersIn(JSON.parse(compiled.planText) as Json)])];
  const test = {
    pipeline: file,
    ...(script === undefined ? { replies: repliesOf(steps, compiled) } : { script }),
    args: requiredArgs(compiled),
    commands: { '*': { execute: true } },
    people: steps.filter((step) => mayOpenGate(step, compiled.plan)).flatMap((step) => yesAt(step, voters)),
    tests: [{ name: 'as it is printed', expect: { status: end } }],
  };
  writeFileSync(join(cwd, 'printed.test.yaml'), JSON.stringify(test));
  const { out, exit } = await commanded(runTests, cwd, ['printed.test.yaml'], { json: true });
  if (exit === 2) throw new Error(out);
  return JSON.parse(out) as SuiteReport;
}

/** Args that a web hook would give. */
function requiredArgs({ plan: { args = {} } }: Compiled): JsonObject {
  const required = Object.entries(args).filter(([, spec]) => spec.required);
  return Object.fromEntries(required.map(([arg, { type, enum: words = [] }]) => [arg, words[0] ?? (type === 'integer' ? 7 : 'text')]));
}

export function compiledIn(cwd: string, file: string, text: string): Compiled | undefined {
  const terminal = fakeTerminal({ cwd, env: {} });
  const installation = compilerInstallation(configurationOf({ options: new Options({}), terminal }));
  const compiled = compilePipeline(file, text, new FolderSources(cwd), { installation });
  return compiled.plan === undefined ? undefined : compiled;
}

/** Everybody whom the pipeline names as an approver says yes at every gate; if it names nobody, anybody may. */
function yesAt({ id }: Step, voters: readonly string[]): JsonObject[] {
  return voters.map((by) => ({ gate: id, approve: { by, comment: 'Yes.' } }));
}

function votersIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(votersIn);
  if (!isJsonObject(value)) return [];
  const { approvers } = value;
  return [...(Array.isArray(approvers) ? approvers.map(String) : []), ...Object.values(value).flatMap(votersIn)];
}

const PASS: Json = { verdict: 'pass', issues: [], summary: 'Good.' };

function repliesOf(steps: readonly Step[], compiled: Compiled): JsonObject {
  const asked = steps.flatMap((step) => (step.kind === 'agent' || step.kind === 'review' ? [step] : []));
  return Object.fromEntries(asked.map((step) => [step.id, [replyTo(step, compiled)]]));
}

function replyTo(step: AgentStep | ReviewStep, { blobs }: Compiled): JsonObject {
  if (step.kind === 'review') return { json: PASS };
  const sha256 = step.output?.schema;
  const schema = sha256 === undefined ? undefined : blobs.get(sha256)?.content;
  return schema === undefined ? { text: 'Done.' } : { json: leastOf(JSON.parse(schema) as Json) };
}

/** The least that a schema takes. */
function leastOf(schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return 'text';
  if (Array.isArray(schema['enum'])) return schema['enum'][0] ?? null;
  const [type] = [schema['type']].flat();
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'array') return [];
  if (type === 'boolean') return true;
  if (type === 'string') return 'text';
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return Object.fromEntries(required.map((key) => [key, leastOf(properties[key])]));
}
