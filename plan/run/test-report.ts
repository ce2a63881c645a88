/** How programs write down the results of their tests: on standard output, or in a file. */
export const REPORT_FORMATS = ['tap', 'junit', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Where the results of a command's tests are: in what it prints, or in a file that it writes. */
export interface TestSource {
  format: ReportFormat;
  /** In the command's folder, or by its whole path. */
  file?: string;
}

/** What a command with `tests` outputs: counts that conditions compare, and what failed, for whoever repairs it. */
export interface TestReport {
  passed: number;
  failed: number;
  skipped: number;
  /** `passed / (passed + failed)`; 0 where no test ran, so that an empty run never looks green. */
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
