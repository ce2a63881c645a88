import type { Plan } from '../plan/plan';
import { PLAN_LIMIT_BYTES } from '../plan/run/artifact';
import { canonicalText } from '../plan/text/json-text';
import { briefPipeline, isBriefFile } from './brief/brief-file';
import type { BriefStart } from './brief/flags';
import type { CompiledChild } from './compile-context';
import {
  type Diagnostic,
  diagnosticAt,
  inSourceOrder,
  type Report,
  type SourceLocation,
  type SourceText,
  sourceText,
  topOf,
} from './diagnostics/diagnostic';
import { type Blob, type Blobs, collectBlobs, sha256 } from './freeze/blobs';
import { type Finished, includer } from './include';
import { type Installation, NO_INSTALLATION } from './installation';
import { lowerLobster } from './lobster/file/workflow';
import { lowerStrict } from './lower/plan';
import { entryOf } from './read/node';
import { readYaml } from './read/yaml';
import { PIPELINE_LIMIT_BYTES, type Sources } from './sources';

/**
 * Compiles a pipeline's text to a frozen plan, or to all of its mistakes. Invariants: 1. pure: the same texts give the same bytes; files
 * come through `Sources`; 2. no exception for a writer's mistake; 3. there is a plan if and only if there is no error.
 */
export interface Compiled {
  plan: Plan;
  /** Canonical JSON of the plan. */
  planText: string;
  planSha256: string;
  /** Blobs by digest: prompts, inputs, schemas, agent definitions, and the plans of child pipelines with their own blobs. */
  blobs: ReadonlyMap<string, Blob>;
  /** Where each agent of the plan is defined, by id. */
  agentPlaces: ReadonlyMap<string, SourceLocation>;
  /** Warnings. */
  diagnostics: Diagnostic[];
}

export interface RefusedPipeline {
  plan?: undefined;
  diagnostics: Diagnostic[];
}

export interface CompileOptions {
  /** Absent: chosen by the file's extension. A file that a Lobster file names is a Lobster file, whatever its extension. */
  dialect?: 'lobster';
  /** Absent: nothing is known of the installation, and every name is accepted. */
  installation?: Installation;
  /** Puts agents in the pipeline's folder into the plan even if nothing names them: for lists and checks. */
  everyAgent?: true;
  /** How a brief's file is started. Absent: it is only looked at. Has no meaning for other files. */
  brief?: BriefStart;
}

export function compilePipeline(file: string, text: string, sources: Sources, options: CompileOptions = {}): Compiled | RefusedPipeline {
  const diagnostics: Diagnostic[] = [];
  const { installation = NO_INSTALLATION } = options;
  const report = onceEach(diagnostics);
  const all: Compilation = { sources, installation, diagnostics, report, blobs: collectBlobs(), finished: new Map() };
  const made = compileFile(sourceText(file, text), [file], all, options);
  const inOrder = inSourceOrder(diagnostics, file);
  if (!made) return { diagnostics: inOrder };
  const { plan, planText, planSha256, agentPlaces } = made;
  return { plan, planText, planSha256, agentPlaces, blobs: all.blobs.all, diagnostics: inOrder };
}

/** What the files of one pipeline share. */
interface Compilation {
  sources: Sources;
  installation: Installation;
  diagnostics: Diagnostic[];
  report: Report;
  blobs: Blobs;
  finished: Map<string, Finished | undefined>;
}

interface CompiledFile extends Finished, CompiledChild {
  planText: string;
  agentPlaces: ReadonlyMap<string, SourceLocation>;
}

/** How many hints are searched for. A file with thousands of misspellings gets none beyond these, so that it is reported soon. */
const SEARCH_LIMIT = 200;

/** Reports each mistake of an agent or schema once, however many files name it. */
function onceEach(diagnostics: Diagnostic[]): Report {
  const said = new Set<string>();
  let searches = 0;
  return (code, at, message, hint) => {
    const key = `${code} ${at.start} ${at.source.file} ${message}`;
    if (said.has(key)) return;
    said.add(key);
    const searched = typeof hint === 'function';
    if (searched) searches++;
    diagnostics.push(diagnosticAt(code, at, message, searched && searches > SEARCH_LIMIT ? undefined : hint));
  };
}

/** Functions, so that a dialect is loaded with the first file that is written in it. */
const DIALECTS = { strict: () => lowerStrict, lobster: () => lowerLobster };

function compileFile(source: SourceText, open: readonly string[], all: Compilation, options: CompileOptions): CompiledFile | undefined {
  const { sources, installation, report, blobs, diagnostics } = all;
  const before = countErrors(diagnostics);
  const isBrief = isBriefFile(source.file);
  const root = isBrief ? briefPipeline(source, report, options.brief) : readYaml(source, report, { limitBytes: PIPELINE_LIMIT_BYTES });
  if (!root) return undefined;
  const isLobster = options.dialect === 'lobster' || source.file.endsWith('.lobster');
  const { include, isOpen, height } = includer(open, {
    ...all,
    dialect: isLobster ? 'lobster' : 'strict',
    compile: (file, text, within, at) => {
      const child = compileFile(sourceText(file, text, at), within, all, isLobster ? { dialect: 'lobster' } : {});
      if (child) blobs.add(child.plan, `${child.plan.name}.plan.json`);
      return child;
    },
  });
  const lower = isLobster ? DIALECTS.lobster() : DIALECTS.strict();
  const everyAgent = options.everyAgent ? ({ everyAgent: true } as const) : {};
  const briefStart = isBrief && options.brief ? { briefStart: options.brief } : {};
  const lowered = lower(source.file, root, {
    sourceText: source.text,
    sources,
    installation,
    blobs,
    report,
    include,
    isOpen,
    ...everyAgent,
    ...briefStart,
  });
  if (countErrors(diagnostics) > before) return undefined;
  const { plan, output, agentPlaces = new Map() } = lowered;
  const planText = canonicalText(plan);
  const sizeBytes = Buffer.byteLength(planText);
  if (sizeBytes > PLAN_LIMIT_BYTES) {
    const message = `the plan has ${sizeBytes} bytes, more than the ${PLAN_LIMIT_BYTES} that a run can carry`;
    const at = entryOf(root, 'name')?.value.at ?? topOf(source);
    report('plan.too-large', at, message, 'move steps into child pipelines, or long texts into agents and files');
    return undefined;
  }
  const child: CompiledChild = { plan, planSha256: sha256(planText), output };
  return { ...child, child, planText, agentPlaces, height: height() };
}

function countErrors(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.reduce((count, { severity }) => (severity === 'error' ? count + 1 : count), 0);
}
