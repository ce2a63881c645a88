import type { Diagnostic } from '../../compiler/diagnostics/diagnostic';
import type { RunState } from '../../plan/run/status';
import type { PipelineCoverage } from './coverage/coverage';
import type { Failing } from './judge/failing';

/** The result of one test. */
export interface TestReport {
  name: string;
  /** Line in its file, from 1. */
  line: number;
  ok: boolean;
  /** The run's state at the end. */
  status: RunState;
  /** Virtual time. */
  elapsedMs: number;
  /** Real time. */
  tookMs: number;
  failing: Failing[];
  /** Possible explanations: signals that changed nothing, people whose moment never came. */
  notes: string[];
}

/** The result of a file; one with mistakes has no tests. */
export interface FileReport {
  file: string;
  pipeline?: string;
  diagnostics: Diagnostic[];
  /** Why it could not be read. */
  problem?: string;
  valid: boolean;
  tests: TestReport[];
}

/** The whole result; `thermidor test --json` prints it unchanged. */
export interface SuiteReport {
  ok: boolean;
  passed: number;
  failed: number;
  /** Files that are no test files, or whose pipeline does not compile. */
  invalid: number;
  tookMs: number;
  files: FileReport[];
  coverage?: PipelineCoverage[];
  /** Pipelines of which too little is reached. */
  tooLittle?: string[];
}
