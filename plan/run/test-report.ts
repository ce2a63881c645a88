/** How programs write down the results of their tests: on standard output, or in a file. */
export const REPORT_FORMATS = ['tap', 'junit', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Where the results of a command's tests are: in its output, or in a file that it writes. */
export interface TestSource {
  format: ReportFormat;
  /** A path in the command's folder, or an absolute one. */
  file?: string;
}

/** The output of a command with `tests`: counts that conditions compare, and the failures, for the agent or person that repairs them. */
export interface TestReport {
  passed: number;
  failed: number;
  skipped: number;
  /** `passed / (passed + failed)`; 0 if no test ran, so that an empty run never looks green. */
  pass_rate: number;
  /** The first `MOST_FAILURES`. */
  failures: FailedTest[];
}

export interface FailedTest {
  name: string;
  message?: string;
}

export const MOST_FAILURES = 50;
export const FAILURE_NAME_CHARACTERS = 200;
export const FAILURE_MESSAGE_CHARACTERS = 1000;
