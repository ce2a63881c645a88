/** How programs write down the results of their tests: on standard output, or in a file. */
export const REPORT_FORMATS = ['tap', 'junit', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

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
