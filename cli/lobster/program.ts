import { extname } from 'node:path';
import type { Diagnostic } from '../../compiler/diagnostics/diagnostic';
import { compileLobsterProgram, jsonOf, readYaml, sourceText } from '../../compiler/index';
import type { Plan } from '../../plan/plan';
import { isLateStage, type KnownStage } from '../../plan/stages/stage';
import type { Json } from '../../plan/text/json';
import { canonicalText, parseJson } from '../../plan/text/json-text';
import { readSourceFile } from '../../worker/source-file';
import { type Compiled, type CompileResult, compile, format } from '../pipelines/pipelines';
import { LobsterFailure, lobsterErrorMessage, parseError, runtimeError } from './exit';
import type { TokenKind } from './token';

/** A call's subject, compiled: a workflow file, or the program of `lobster run '…'`. */
export interface Runnable {
  kind: TokenKind;
  compiled: Compiled;
  /** The path of a file. */
  path?: string;
  text: string;
}

/** In tool mode the items themselves are the answer: these stages only display them. */
const RENDERERS: ReadonlySet<string> = new Set(['json', 'table']);

export interface WorkflowFile {
  path: string;
  text: string;
  compiled: CompileResult;
}

/** @param shown the file as mistakes name it */
export function readWorkflow(path: string, shown: string): WorkflowFile {
  let text: string;
  try {
    text = readSourceFile(path);
  } catch (error) {
    throw runtimeError(lobsterErrorMessage(error));
  }
  return { path, text, compiled: compile({ file: shown, path, text }, { dialect: 'lobster' }) };
}

/** Fails as Lobster does, with the first reason; its place, and all other reasons, are shown to people. */
export function compileFile(path: string, shown: string, colors: boolean): Runnable {
  const { text, compiled } = readWorkflow(path, shown);
  if (compiled.plan === undefined) throw refusedFile(compiled.diagnostics, colors);
  return { kind: 'workflow-file', compiled, path, text };
}

/** An open quote or an empty stage does not read (a parse error); a stage that does not exist fails. */
export function compileProgram(text: string, mode: 'human' | 'tool', colors: boolean): Runnable {
  const compiled = compileLobsterProgram(text);
  if (compiled.plan === undefined) {
    const [first] = errorsOf(compiled.diagnostics);
    throw first?.code === 'lobster.pipe-syntax' ? parseError(first.message) : refusedFile(compiled.diagnostics, colors);
  }
  if (mode === 'human') return { kind: 'pipeline-resume', compiled, text };
  const plan = withoutRenderers(compiled.plan);
  return { kind: 'pipeline-resume', compiled: { ...compiled, plan, planText: canonicalText(plan) }, text };
}

/** The stages of a program: it holds no references, so each stage is known by its name. */
export function stagesOf(plan: Plan): KnownStage[] {
  const [step] = plan.block.steps;
  return step && 'stages' in step ? step.stages.flatMap((stage) => (isLateStage(stage) ? [] : [stage])) : [];
}

export function renders(plan: Plan): boolean {
  return stagesOf(plan).some(({ name }) => RENDERERS.has(name));
}

function withoutRenderers(plan: Plan): Plan {
  const steps = plan.block.steps.map((step) =>
    'stages' in step ? { ...step, stages: step.stages.filter((stage) => isLateStage(stage) || !RENDERERS.has(stage.name)) } : step,
  );
  return { ...plan, block: { ...plan.block, steps } };
}

export function refusedFile(diagnostics: readonly Diagnostic[], colors: boolean, reason?: string): LobsterFailure {
  const errors = errorsOf(diagnostics);
  const [first] = errors;
  return new LobsterFailure('runtime_error', reason ?? first?.message ?? 'the workflow does not compile', {
    located: `${format(errors, colors)}\n`,
  });
}

export function errorsOf(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/** The file's tree, for parts that show the author's own text; null if the text cannot be parsed. */
export function documentOfFile({ path, text }: Pick<Runnable, 'path' | 'text'>): Json {
  if (path !== undefined && extname(path).toLowerCase() === '.json') return parseJson(text);
  const root = readYaml(sourceText(path ?? '', text), () => undefined);
  return root ? jsonOf(root) : null;
}
