import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSettings } from '../../cli/settings/settings-file';
import { checkScript, compilePipeline, type Diagnostic, type Installation, mergeScripts, readScript, type Sources } from '../../compiler';
import { loadTests, TEST_FILE } from '../../compiler/test-file/load-tests';
import { defined } from '../../plan/defined';
import { NOBODY } from '../../plan/people/people';
import type { Plan } from '../../plan/plan';
import { installationOf as installationAt } from '../../worker/installation';

/**
 * A golden case is one file: sections that begin with `=== name`. `pipeline.yaml` (or another file name in the section `options`, as `file:
 * x`) is compiled, other files lie next to it, a file under `scripts/` is read and checked against the plan, a `*.test.yaml` likewise.
 * `expect` lists the diagnostics, `code@line:column`, with the file before it where it is another. `plan` is the plan. `thermidor.yaml` has
 * the settings; `adapters`, `tools` and `servers` in the options say which the worker has, `machine` its time zone, `today` the day,
 * `folders` the folders that there are.
 * `{{repeat N text}}`,
 * `{{nul}}` and `{{bom}}` stand for what cannot be written; `crlf` in the options ends lines so.
 */
export interface GoldenCase {
  name: string;
  sections: Map<string, string>;
}

export const CASES = join(__dirname, '..', 'cases');
const SETTINGS = 'thermidor.yaml';
const NOT_FILES = new Set(['options', 'expect', 'plan', SETTINGS]);

export function goldenCases(): GoldenCase[] {
  const names = readdirSync(CASES).filter((name) => name.endsWith('.case'));
  return names.sort().map((name) => ({ name, sections: sectionsOf(readFileSync(join(CASES, name), 'utf8')) }));
}

export function sectionsOf(text: string): Map<string, string> {
  const parts = text.split(/^=== (.+)\n/m);
  const found = new Map<string, string>();
  for (let i = 1; i < parts.length; i += 2) found.set(parts[i] ?? '', parts[i + 1] ?? '');
  return found;
}

export function textOfCase(sections: ReadonlyMap<string, string>): string {
  return [...sections].map(([name, body]) => `=== ${name}\n${body}`).join('');
}

export interface Outcome {
  plan?: Plan;
  planText?: string;
  diagnostics: Diagnostic[];
}

/** The files of a case, and which of them is the pipeline. */
export function filesOf({ sections }: GoldenCase): { file: string; files: Map<string, string> } {
  const options = sections.get('options') ?? '';
  const crlf = /^crlf$/m.test(options);
  const files = new Map([...sections].filter(([name]) => !NOT_FILES.has(name)).map(([name, body]) => [name, expand(body, crlf)]));
  return { file: /^file: (.+)$/m.exec(options)?.[1] ?? 'pipeline.yaml', files };
}

/** The case's settings, from the sections next to it. */
function installationOf({ sections }: GoldenCase): Installation {
  const settings = parseSettings(SETTINGS, sections.get(SETTINGS) ?? '');
  const { directory = NOBODY, channels = {}, prices = { models: {} }, models = {}, context, timezone } = settings;
  const options = sections.get('options') ?? '';
  const [machine, today, folders] = ['machine', 'today', 'folders'].map((key) => new RegExp(`^${key}: (.+)$`, 'm').exec(options)?.[1]);
  const installation: Installation = {
    ...{ directory, channels: Object.keys(channels), approvers: installationAt({ channels }).approvers ?? {}, prices, models },
    ...(context ? { context } : {}),
    ...defined({ timezone, machineTimezone: machine, today }),
    ...(folders === undefined ? {} : { hasFolder: (path: string) => folders.split(' ').includes(path) }),
  };
  for (const [key, word] of NAMED_IN_OPTIONS) {
    const named = new RegExp(`^${word}:(.*)$`, 'm').exec(options)?.[1];
    if (named !== undefined) installation[key] = named.split(/[\s,]+/).filter((name) => name !== '');
  }
  return installation;
}

const NAMED_IN_OPTIONS = [
  ['adapters', 'adapters'],
  ['tools', 'tools'],
  ['toolServers', 'servers'],
] as const;

export function runCase(one: GoldenCase): Outcome {
  const { file, files } = filesOf(one);
  const installation = installationOf(one);
  const compiled = compilePipeline(file, files.get(file) ?? '', sourcesOf(files), { installation });
  const diagnostics = [...compiled.diagnostics];
  for (const [name, text] of files) {
    if (TEST_FILE.test(name))
      diagnostics.push(...loadTests(name, text, sourcesOf(files)).diagnostics.filter((found) => found.file !== file));
    if (!name.startsWith('scripts/')) continue;
    const read = readScript(name, text);
    diagnostics.push(...read.diagnostics);
    const base = read.script && read.extends === undefined ? undefined : files.get(`scripts/${read.script && read.extends}.yaml`);
    const under = base === undefined ? undefined : readScript(name, base);
    if (!read.script || !compiled.plan) continue;
    const script = under?.script ? mergeScripts(under.script, read) : read.script;
    diagnostics.push(...checkScript(script, compiled.plan, [read.places, ...(under?.script ? [under.places] : [])]));
  }
  return compiled.plan ? { plan: compiled.plan, planText: compiled.planText, diagnostics } : { diagnostics };
}

export function sourcesOf(files: ReadonlyMap<string, string>): Sources {
  const list = (folder: string): string[] => {
    const names = [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
    return names.map((path) => path.slice(folder.length + 1));
  };
  return { read: (path) => files.get(path), list };
}

function expand(text: string, crlf: boolean): string {
  const whole = text
    .replace(/\{\{repeat (\d+) (.*?)\}\}/gs, (_, count: string, what: string) => what.repeat(Number(count)))
    .replaceAll('{{nul}}', '\0')
    .replaceAll('{{bom}}', '\ufeff');
  return crlf ? whole.replaceAll('\n', '\r\n') : whole;
}

export function describe(diagnostics: readonly Diagnostic[], file = 'pipeline.yaml'): string {
  return diagnostics.map((d) => `${d.file === file ? '' : `${d.file} `}${d.code}@${d.line}:${d.column}\n`).join('');
}
