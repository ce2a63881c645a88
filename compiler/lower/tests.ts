import { defined } from '../../plan/defined';
import type { TestSource } from '../../plan/run/test-report';
import type { TESTS_ROWS } from '../language/mappings/step';
import type { SourceOf } from '../shape/source-of';

/** Where the results of a command's tests are. Undefined if the file does not say in which format. */
export function lowerTests(tests: SourceOf<typeof TESTS_ROWS> | undefined): TestSource | undefined {
  return tests?.format && { format: tests.format, ...defined({ file: tests.file?.value }) };
}
