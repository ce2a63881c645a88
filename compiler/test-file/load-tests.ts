import { type Compiled, compilePipeline, type RefusedPipeline } from '../compile';
import { type Diagnostic, diagnosticAt, hasErrors, inSourceOrder, type Report, sourceText, topOf } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { besideFile, PIPELINE_LIMIT_BYTES, type Sources } from '../sources';
import { type ReadTestFile, readTestFile } from './read-test-file';
import { resolveTests } from './resolve-tests';
import type { PipelineTest } from './test-file';

/**
 * A test file with everything it names: its pipeline, compiled; scripts; tests that are checked against the plan. Invariants: 1. pure:
 * files come through `Sources`; 2. no exception for a writer's mistake; 3. tests are returned if and only if nothing is wrong, in the test
 * file or in what it names.
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

export type Compile = (file: string, text: string, sources: Sources) => Compiled | RefusedPipeline;

/** Matches the end of a test file's name: `release.test.yaml`. */
export const TEST_FILE = /\.test\.(?:ya?ml|json)$/;
const PIPELINE_EXTENSIONS = ['.yaml', '.yml', '.json', '.lobster', '.md'] as const;

/** @param compile replaces the compiler if the caller caches compiled pipelines */
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
    const text = sources.read(file, PIPELINE_LIMIT_BYTES);
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

/** Keeps each mistake of a script that several tests share once. */
function onceEach(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const said = new Set<string>();
  return diagnostics.filter(({ code, file, startOffset, message }) => {
    const key = `${code} ${file} ${startOffset} ${message}`;
    return !said.has(key) && said.add(key);
  });
}
